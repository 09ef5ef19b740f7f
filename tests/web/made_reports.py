# SPDX-License-Identifier: Apache-2.0
"""The reports that are looked at, made with the built `helio`: every command that has --report, and one whose names are hostile.

    all        reproduce all       seven pages; takes two minutes, so it runs beside the tests of the others
    first jobs fred wrht switch levels slices mesh network measured swept hostile hostile-slices
"""
import pathlib
import subprocess

# What somebody may have called a job. It would run if any of it became markup.
HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'&amp;'

HOSTILE_EXPERIMENT = f"""
[fabric]
name = "wdm-ring"
nodes = 8
[[collective]]
name = '''{HOSTILE}'''
kind = "all-reduce"
bytes = "1 MB"
algorithm = "wrht"
[[job]]
name = '''{HOSTILE} too'''
model = "vgg16"
npus = 8
micro_batch = 1
"""

HOSTILE_SLICES = f"""
[fabric]
groups = 2
nodes_per_group = 4
channels = 8
[[event]]
admit = '''{HOSTILE}'''
nodes = 4
bytes = "1 MB"
[[event]]
at = "1 s"
leave = '''{HOSTILE}'''
"""

# Sizes and times as nccl-tests prints them; any would do, the page is what is tested.
MEASURED = "size_B,time_us\n8,20\n1048576,50\n16777216,180\n1073741824,8244.5\n"

# Two points have no answer: a mesh of so many wavelengths is none.
SWEEP = """command = "collective all-reduce --fabric {fabric} --bytes 1MB --algorithm {algorithm}"
[vary]
fabric = ["ring", "switch"]
algorithm = ["ring", "<b>direct", "direct"]
nodes = [4, 8]
"""


class Reports:
    """Folders by name. `all` is made in the background: `wait()` before it is read."""

    def __init__(self, helio, source, folder):
        self.helio, self.source, self.folder = helio, pathlib.Path(source), pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        examples = self.source / "examples"
        self._make("first", "simulate", examples / "first_collectives.toml")
        self._make("jobs", "simulate", examples / "two_jobs_fat_tree.toml")
        self._make("fred", "simulate", examples / "fred_gpt3.toml")
        self._make("wrht", "collective", "all-reduce", "--fabric", "wdm-ring", "--nodes", "64", "--bytes", "100 MB",
                   "--algorithm", "wrht", "--set", "fabric.wavelengths=8")
        self._make("switch", "collective", "all-reduce", "--fabric", "fred", "--nodes", "20", "--bytes", "1 GB",
                   "--algorithm", "in-fabric")
        self._make("levels", "collective", "all-reduce", "--fabric", "composite", "--level", "switch:name=<b>rack,nodes=8",
                   "--level", "wdm-ring:nodes=4,gateways=2,gateway_rate=100 Gb/s", "--bytes", "10 MB", "--algorithm", "by-level")
        self._make("slices", "slices", examples / "oddl_slices.toml")
        self._make("mesh", "onn", "decompose", "--modes", "16")
        self._run("onn", "build", "--servers", "4", "--bits", "8", "--out", self.folder / "network.json")
        self._make("network", "onn", "describe", self.folder / "network.json")
        self._make("measured", "validate", self._file("measured.csv", MEASURED))
        self._run("sweep", self._file("sweep.toml", SWEEP), "--out", self.folder / "sweep.db")
        self._make("swept", "sweep", "show", self.folder / "sweep.db", "--against", "energy_j")
        self._make("hostile", "simulate", self._file("hostile.toml", HOSTILE_EXPERIMENT))
        self._make("hostile-slices", "slices", self._file("hostile-slices.toml", HOSTILE_SLICES))
        self.everything = subprocess.Popen(
            [helio, "reproduce", "all", "--report", str(self.folder / "all")],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def wait(self):
        said = self.everything.communicate()[1]
        if self.everything.returncode != 0:
            raise RuntimeError(f"reproduce all ended with {self.everything.returncode}: {said}")

    def stop(self):
        if self.everything.poll() is None:
            self.everything.kill()
            self.everything.communicate()

    def pages(self, name):
        """(name of the page, file) of a report."""
        files = sorted((self.folder / name).glob("*.html"))
        return [(name if file.stem == "index" else f"{name}-{file.stem}", file) for file in files]

    def _file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def _run(self, *words):
        done = subprocess.run([self.helio, *map(str, words)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"helio {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")

    def _make(self, name, *words):
        self._run(*words, "--report", self.folder / name)
