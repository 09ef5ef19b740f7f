# SPDX-License-Identifier: Apache-2.0
"""The module heliograph, built by CMake: pyproject.toml says the rest."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parent
version = re.search(r"^project\(heliograph VERSION (\S+)", (root / "CMakeLists.txt").read_text(), flags=re.M)[1]


class ByCMake(build_ext):
    def build_extension(self, extension):
        made = pathlib.Path(os.environ.get("HELIO_BUILD", root / "build" / "pip"))  # one that is configured stays as it is
        if not (made / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", str(root), "-B", str(made), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHELIO_TESTS=OFF",
                            "-DHELIO_TRAIN=OFF", f"-DHELIO_PYTHON={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", str(made), "--target", "helio_python_package"], check=True)
        into = pathlib.Path(self.get_ext_fullpath(extension.name)).parent
        shutil.copytree(made / "python" / "heliograph", into, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))


(root / "build").mkdir(exist_ok=True)
setup(version=version, options={"egg_info": {"egg_base": "build"}}, packages=["heliograph"], package_dir={"heliograph": "bindings/python/heliograph"},
      package_data={"heliograph": ["py.typed"]}, ext_modules=[Extension("heliograph._core", [])], cmdclass={"build_ext": ByCMake})
