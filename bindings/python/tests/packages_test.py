# SPDX-License-Identifier: Apache-2.0
"""What is installed works: by pip into a virtual environment that sees the system's packages, and as packages of Debian in an unpacked tree."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ["HELIO_BUILD"]).resolve()
# src/README.md derives 18 s.
ASKS = """
import heliograph as hg
print(hg.__file__)
print(hg.collective("all-reduce", fabric="ring", nodes=4, bytes="8 B", algorithm="ring", set={"fabric.rate": "1 B/s", "fabric.latency": "1 s"}).time_s)
"""


def run(*words, **how):
    said = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **how)
    assert said.returncode == 0, f"{words}\n{said.stdout}\n{said.stderr}"
    return said.stdout


class Packages(unittest.TestCase):
    @unittest.skipUnless(all(importlib.util.find_spec(name) for name in ("venv", "ensurepip", "pip", "setuptools", "wheel")),
                         "python3-venv, python3-pip, python3-setuptools and python3-wheel are not all there")
    def test_pip_installs_the_module(self):
        with tempfile.TemporaryDirectory() as folder:
            run("/usr/bin/python3", "-m", "venv", "--system-site-packages", folder)
            python = pathlib.Path(folder) / "bin/python"
            alone = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"HELIO_BUILD": str(BUILD)}
            run(python, "-m", "pip", "install", "--no-index", "--no-build-isolation", ROOT, env=alone, cwd=folder)
            where, time = run(python, "-c", ASKS, env=alone, cwd=folder).split()
            self.assertTrue(where.startswith(folder), where)
            self.assertEqual(float(time), 18)

    @unittest.skipUnless(all(shutil.which(name) for name in ("dpkg-deb", "dpkg-shlibdeps", "lintian")), "dpkg-dev and lintian are not both there")
    def test_debian_s_packages_work_and_lintian_is_content(self):
        said = run("scripts/deb", BUILD, cwd=ROOT)  # unpacks them, asks both, builds the example
        self.assertIn("heliograph_", said)


if __name__ == "__main__":
    unittest.main()
