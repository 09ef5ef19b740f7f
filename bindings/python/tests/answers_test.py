# SPDX-License-Identifier: Apache-2.0
"""A question in Python has the answer of the command: the same JSON, the same refusals in other words."""
import importlib.util
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import heliograph as hg
import twins

HELIO = os.environ["HELIO"]
SMALL = {"fabric": "ring", "nodes": 4, "bytes": "8 B", "algorithm": "ring",
         "set": {"fabric.rate": "1 B/s", "fabric.latency": "1 s"}}

# What takes seconds, of which there is enough without it; plan and fit search for longer than tests may take, and are asked in smaller ones.
LEFT_OUT = re.compile(r"^(reproduce (?!closed-forms)|reproduce$|plan (?!collective)\S|fit \S|onn evaluate .*--(draws|points)"
                      r"|onn build .*--best|simulate examples/one_system|compare all-reduce --nodes 64 --bytes 1GB"
                      r"|collective .*(--nodes (4096|1048576 .*--verify)|dimensions=32x32|--nodes 16384|--nodes 65536))")
CLOCKS = ("decompose_s", "wall_seconds")


def said(words, folder):
    return subprocess.run([HELIO, *words], capture_output=True, text=True, cwd=folder, check=False)


def without_clocks(text):
    return re.sub(r'("(?:%s)": )[^,\n]*' % "|".join(CLOCKS), r"\1-", text)


class Twins(unittest.TestCase):
    def test_every_command_of_the_documents_has_one(self):
        asked = 0
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(twins.ROOT / "examples", pathlib.Path(folder) / "examples")
            os.mkdir(pathlib.Path(folder) / "out")
            back = os.getcwd()
            os.chdir(folder)
            self.addCleanup(os.chdir, back)
            for words, page in twins.command_lines().items():
                if LEFT_OUT.match(" ".join(words)):
                    continue
                with self.subTest(page=page, command=" ".join(words)):
                    command = said(twins.plain_command(words), folder)
                    try:
                        function, given = twins.twin(words)
                        inspect.signature(function).bind(**given)
                    except (IndexError, KeyError, TypeError):  # the name of a command or an option, without what it needs
                        self.assertIn(command.returncode, (2, 3))
                        continue
                    asked += 1
                    if command.returncode == 0:
                        self.assertEqual(without_clocks(function(**given).to_json()), without_clocks(command.stdout))
                        continue
                    with self.assertRaises(hg.HelioError) as refused:
                        function(**given)
                    kind = {2: "usage", 3: "input", 4: "infeasible"}[command.returncode]
                    self.assertEqual(refused.exception.kind, kind, command.stderr)
        self.assertGreater(asked, 30)

    def test_a_small_one_to_the_byte(self):
        words = ["collective", "all-reduce", "--fabric", "ring", "--nodes", "4", "--bytes", "8B", "--algorithm", "ring", "--set",
                 "fabric.rate=1 B/s", "--set", "fabric.latency=1 s", "--json"]
        result = hg.collective("all-reduce", fabric="ring", nodes=4, bytes=8, algorithm="ring", set=SMALL["set"])
        self.assertEqual(result.to_json(), said(words, ".").stdout)


class Results(unittest.TestCase):
    def setUp(self):
        self.result = hg.collective("all-reduce", **SMALL)

    def test_keys_are_attributes(self):
        # src/README.md derives 18 s, a bound of 7 s, 6 steps, 48 B over all links.
        self.assertEqual((self.result.time_s, self.result.bound_s, self.result.steps, self.result.traffic_bytes), (18, 7, 6, 48))
        self.assertEqual(self.result.configuration.fabric.nodes, "4")
        self.assertEqual(self.result["fabric"], "ring")
        self.assertEqual(self.result.to_dict(), json.loads(self.result.to_json()))
        with self.assertRaisesRegex(AttributeError, "time_s"):
            self.result.times

    def test_no_method_hides_a_key(self):
        methods = {name for name in dir(hg.Result) if not name.startswith("_")}
        keys = {line.split()[0] for line in subprocess.run([HELIO, "describe", "keys"], capture_output=True, text=True,
                                                           check=True).stdout.split("\n") if line.startswith("  ")}
        self.assertGreater(len(keys), 200)
        self.assertEqual(methods & keys, set())

    def test_report_and_trace_are_those_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            page = self.result.report(path / "page")
            self.result.trace(path / "trace.json")
            words = ["collective", "all-reduce", "--fabric", "ring", "--nodes", "4", "--bytes", "8 B", "--algorithm", "ring", "--set",
                     "fabric.rate=1 B/s", "--set", "fabric.latency=1 s", "--trace", "t.json", "--report", "r"]
            said(words, folder)
            self.assertEqual((path / "trace.json").read_text(), (path / "t.json").read_text())
            self.assertEqual((path / "page" / "results.json").read_text(), (path / "r" / "results.json").read_text())
            ours = pathlib.Path(page).read_text()
            self.assertIn("heliograph.collective(kind=", ours)
            self.assertNotIn("--fabric", re.sub(r"<script.*?</script>|<style.*?</style>", "", ours, flags=re.S))

    def test_a_notebook_shows_summary_and_picture(self):
        html = self.result._repr_html_()
        self.assertIn("18 s", html)
        self.assertIn("iframe", html)
        self.assertIn("timeline", html)

    def test_a_dict_is_an_experiment(self):
        text = pathlib.Path("examples/first_collectives.toml").read_text()
        import tomllib

        by_dict, by_path = hg.simulate(tomllib.loads(text)), hg.simulate(pathlib.Path("examples/first_collectives.toml"))
        first, second = by_dict.to_dict(), by_path.to_dict()
        self.assertEqual((first.pop("source"), second.pop("source")), ("experiment", "examples/first_collectives.toml"))
        self.assertEqual(first, second)
        with self.assertRaises(hg.InputError) as wrong:
            hg.simulate({"fabric": {"name": "ring", "nodes": 4}, "collective": [{"kind": "all-reduce", "bytes": "1 potato"}]})
        self.assertIn("experiment:", wrong.exception.place)


class Refusals(unittest.TestCase):
    # (call, exit code of the command, words of it)
    CASES = [
        (lambda: hg.collective("all-reduce", fabric="rign", nodes=4, bytes="1MB"), "collective all-reduce --fabric rign --nodes 4 --bytes 1MB"),
        (lambda: hg.collective("all-reduce", fabric="ring", bytes="1MB"), "collective all-reduce --fabric ring --bytes 1MB"),
        (lambda: hg.collective("all-reduce", fabric="ring", nodes=4, bytes="1 potato"), "collective all-reduce --fabric ring --nodes 4 --bytes '1 potato'"),
        (lambda: hg.collective("all-reduce", fabric="ring", nodes=0, bytes="1MB"), "collective all-reduce --fabric ring --nodes 0 --bytes 1MB"),
        (lambda: hg.collective("all-reduce", fabric="ring", nodes=4, bytes="1MB", set={"rate": "1 Gb/s"}), "collective all-reduce --fabric ring --nodes 4 --bytes 1MB --set 'rate=1 Gb/s'"),
        (lambda: hg.collective("all-reduce", fabric="ring", nodes=4, bytes="1MB", root=1), "collective all-reduce --fabric ring --nodes 4 --bytes 1MB --root 1"),
        (lambda: hg.collective("all-reduce", fabric="switch", nodes=8, bytes="1MB", algorithm="in-fabric"), "collective all-reduce --fabric switch --nodes 8 --bytes 1MB --algorithm in-fabric"),
        (lambda: hg.collective("all-reduce", fabric="ring", nodes=4, bytes="1MB", level=["ring"]), "collective all-reduce --fabric ring --nodes 4 --bytes 1MB --level ring"),
        (lambda: hg.collective("all-to-all", fabric="torus", bytes="1GB", algorithm="direct", set={"fabric.dimensions": "64x64x16"}, budget="1 ms"),
         "collective all-to-all --fabric torus --set fabric.dimensions=64x64x16 --bytes 1GB --algorithm direct --budget '1 ms'"),
        (lambda: hg.simulate("nowhere.toml"), "simulate nowhere.toml"),
        (lambda: hg.compare("all-reduce", nodes=8), "compare all-reduce --nodes 8"),
        (lambda: hg.compare("all-reduce", nodes=8, bytes="1MB", injection="fast"), "compare all-reduce --nodes 8 --bytes 1MB --injection fast"),
        (lambda: hg.plan("gpt3-175b"), "plan gpt3-175b"),
        (lambda: hg.traffic(fabric=["oddl"], nodes=8), "traffic --fabric oddl --nodes 8"),
        (lambda: hg.slices(), "slices"),
        (lambda: hg.reproduce("nothing"), "reproduce nothing"),
        (lambda: hg.fred.route(ports=12, groups="0,3,99"), "fred route --ports 12 --groups 0,3,99"),
        (lambda: hg.fred.route(ports="many", groups="0,3"), "fred route --ports many --groups 0,3"),
        (lambda: hg.onn.build(servers=4, bits=7), "onn build --servers 4 --bits 7"),
        (lambda: hg.onn.evaluate("nowhere.json"), "onn evaluate nowhere.json"),
        (lambda: hg.onn.decompose(modes=4, layout="round"), "onn decompose --modes 4 --layout round"),
        (lambda: hg.validate("nowhere.csv"), "validate nowhere.csv"),
    ]

    def test_what_the_command_refuses_python_refuses(self):
        import shlex

        for call, line in self.CASES:
            with self.subTest(line):
                command = said(shlex.split(line), ".")
                self.assertIn(command.returncode, (2, 3, 4), command.stderr)
                with self.assertRaises(hg.HelioError) as refused:
                    call()
                error = refused.exception
                self.assertEqual({"usage": 2, "input": 3, "infeasible": 4}[error.kind], command.returncode, f"{error}\n{command.stderr}")
                self.assertIsInstance(error, hg.InfeasibleError if error.kind == "infeasible" else hg.InputError)
                self.assertNotRegex(str(error), r"(^|[\s(\"'])--[a-z]")
                self.assertTrue(error.message)

    def test_advice_is_in_words_of_a_call(self):
        with self.assertRaises(hg.InfeasibleError) as refused:
            hg.collective("all-reduce", fabric="switch", nodes=8, bytes="1MB", algorithm="in-fabric")
        self.assertEqual(refused.exception.place, "algorithm")
        self.assertIn('remedy="endpoint"', refused.exception.advice)

    def test_what_is_read_is_not_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "experiment.toml"
            text = '[fabric]\nname = "ring"\nnodes = 4\n\n[[collective]]\nkind = "all-reduce"\nbytes = "1 MB"\nalgorithm = "ring"\n'
            file.write_text(text)
            result = hg.simulate(file)
            with self.assertRaisesRegex(hg.InputError, "would replace"):
                result.trace(file)
            flows = pathlib.Path(folder) / "flows.json"
            flows.write_text('[{"inputs": [0, 1], "outputs": [0, 1]}]')
            with self.assertRaisesRegex(hg.InputError, "would replace"):
                hg.fred.route(ports=4, flows=flows, svg=flows)
            self.assertEqual(file.read_text(), text)

    def test_a_keyword_that_there_is_not(self):
        with self.assertRaises(TypeError):
            hg.collective("all-reduce", fabric="ring", nodes=4, bytes="1MB", size=4)


class Catalogues(unittest.TestCase):
    def test_they_are_the_command_s(self):
        for room in ("fabrics", "algorithms", "models", "npus", "parts", "studies"):
            listed = subprocess.run([HELIO, "list", room], capture_output=True, text=True, check=True).stdout
            self.assertEqual(list(getattr(hg, room)), re.findall(r"^  (\S+)  ", listed, flags=re.M))
        ring = hg.fabrics["wdm-ring"]
        self.assertEqual(ring.parameters["wavelengths"].type, "integer")
        self.assertIn("wavelengths", ring.describe())
        self.assertIn("all-reduce", hg.algorithms["wrht"].kinds)
        with self.assertRaisesRegex(hg.InputError, "Name one of: ring"):
            hg.fabrics["rign"]

    def test_help_is_the_command_s(self):
        """Every option that the command declares is a keyword, with its words."""
        text = subprocess.run([HELIO, "collective", "--help"], capture_output=True, text=True, check=True).stdout
        options = set(re.findall(r"^ +--([a-z-]+)", text, flags=re.M)) - {"json", "report", "trace", "help", "what-if", "no-what-if"}
        self.assertGreater(len(options), 12)
        doc = hg.collective.__doc__
        for option in options:
            self.assertRegex(doc, rf"(?m)^    {option.removeprefix('no-')} ")
        self.assertIn("who carries it", doc)


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not there")
class Stubs(unittest.TestCase):
    def checked(self, code):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "asks.py"
            file.write_text("import heliograph as hg\n" + code)
            return subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", folder, "--ignore-missing-imports", str(file)], capture_output=True,
                                  text=True, check=False, env=os.environ | {"MYPYPATH": str(pathlib.Path(hg.__file__).parent.parent)}).stdout

    def test_what_may_be_asked_is_known(self):
        said = self.checked("""
print(hg.collective("all-reduce", fabric="ring", nodes=4, bytes="8 B", set={"fabric.rate": "1 B/s"}).time_s)
hg.plan("gpt2-xl", npus=8, fabric=["switch", hg.Graph([(0, 1)])])
hg.plan.collective("all-reduce", nodes="8,64", bytes="1 MB")
hg.vary(hg.collective, {"nodes": [4, 8]}, kind="all-reduce", fabric="ring", bytes="1 MB")
hg.onn.build(servers=2, bits=4).report("out")
hg.fabrics["ring"].parameters
""")
        self.assertIn("no issues found", said)

    def test_what_may_not_is_an_error(self):
        said = self.checked("""
hg.collective("all-reduce", fabric="ring", nodes=4)
hg.fred.route(portss=8)
hg.plan.collectives("x")
""")
        for words in ('"bytes"', '"portss"', '"collectives"'):
            self.assertIn(words, said)
        self.assertIn("Found 3 errors", said)


if __name__ == "__main__":
    unittest.main()
