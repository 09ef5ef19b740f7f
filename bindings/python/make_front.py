# SPDX-License-Identifier: Apache-2.0
"""The functions of heliograph, made from what the command says of itself: `helio reference commands` ─▶ _front.py with its stubs.

So an option is described once, where the command declares it: names, words, what is required and what may be repeated.

    | `--nodes VALUE` | how many nodes |    ─▶    def collective(kind, *, fabric, bytes, nodes=None, …)    with that line in its docstring
"""
import argparse
import keyword
import pathlib
import re
import subprocess

# Command: what the question is called in questions.cpp, and the first line of its docstring's page.
COMMANDS = {"collective": "results", "simulate": "experiment-file", "compare": "compare", "plan": "model-plan", "plan collective": "compare",
            "reproduce": "results", "validate": "validate", "fit": "compute-model", "slices": "oddl-slices", "traffic": "traffic",
            "testbed": "testbed", "sweep": "sweep", "fred route": "fred", "onn build": "onn", "onn evaluate": "onn",
            "onn decompose": "meshes", "onn describe": "onn"}
OUTPUT = {"json", "report", "trace", "help", "what-if", "no-what-if"}  # of a command, for people; of a Result some are methods
HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Made by bindings/python/make_front.py from `helio reference commands`.
'''
STUBS = HEAD + '''from . import fred as fred, onn as onn
from ._front import collective as collective, compare as compare, fit as fit, plan as plan, reproduce as reproduce
from ._front import simulate as simulate, slices as slices, sweep as sweep, testbed as testbed, traffic as traffic
from ._front import validate as validate
from .catalogues import algorithms as algorithms, describe as describe, fabrics as fabrics, models as models
from .catalogues import npus as npus, parts as parts, studies as studies
from .errors import HelioError as HelioError, InfeasibleError as InfeasibleError, InputError as InputError
from .graph import Graph as Graph
from .own import OwnAlgorithm as OwnAlgorithm, Schedule as Schedule, algorithm as algorithm, move_dtype as move_dtype
from .result import Result as Result
from .varying import vary as vary

__version__: str
'''
FRONT_STUBS = HEAD + '''import os
from typing import Any, Callable, Mapping, Sequence, Union

from .graph import Graph
from .result import Result

Value = Union[str, int, float, os.PathLike[str], Sequence[Any]]
Settings = Union[Mapping[str, Any], Sequence[str]]
Experiment = Union[str, os.PathLike[str], Mapping[str, Any]]
Algorithm = Union[str, Callable[..., Any]]
Fabric = Union[str, Graph, Sequence[Union[str, Graph]]]
'''


class Option:
    def __init__(self, spelt, words):
        self.positional = not spelt.startswith("-")
        long = spelt.split(", ")[-1].split(" ")
        self.flag = not self.positional and len(long) == 1
        self.option = long[0]
        name = self.option.removeprefix("--").lower()
        self.negated = self.flag and name.startswith("no-")
        self.name = (name.removeprefix("no-") if self.negated else name).replace("-", "_")
        if keyword.iskeyword(self.name):
            self.name += "_"
        self.required = "required" in re.findall(r"\(([^()]*)\)$", words)[0].split("; ") if words.endswith(")") else False
        self.repeated = words.endswith("may be repeated)") or "may be repeated;" in words
        self.words = words

    def declared(self, typed):
        kind = {"set": "Settings", "experiment": "Experiment", "algorithm": "Algorithm", "fabric": "Fabric"}.get(self.name, "Value")
        kind = "bool" if self.flag else kind if self.required else f"{kind} | None"
        default = "" if self.required else "True" if self.negated else "False" if self.flag else "None"
        if not typed:
            return self.name + ("=" + default if default else "")
        return f"{self.name}: {kind}" + (" = " + default if default else "")


def commands_of(text):
    """Each command with what it is and its options."""
    found = {}
    for part in text.split("\n## helio ")[1:]:
        name, _, rest = part.partition("\n")
        options = [Option(spelt, words.replace("\\|", "|")) for spelt, words in re.findall(r"^\| `([^`]*)` \| (.*) \|$", rest, flags=re.M)
                   if not spelt.startswith("helio ")]
        found[name] = (rest.strip().split("\n")[0], options)
    return found


def in_python(words, options):
    """The words with options as the keywords that they are here."""
    names = {one.option: one.name for one in options if not one.positional}
    words = re.sub(r"--[a-z][a-z-]*", lambda match: names.get(match.group(0), match.group(0)[2:].replace("-", "_")), words)
    words = words.replace("; may be repeated", "").replace("may be repeated", "a list of them")
    return re.sub(r"\bset ([a-z]+\.[A-Za-z.]+)=([A-Z]+)", r'set={"\1": \2}', words)


def function_of(command, what, options, page):
    given = [one for one in options if one.option.removeprefix("--") not in OUTPUT]
    first = [one for one in given if one.positional]
    others = sorted((one for one in given if not one.positional), key=lambda one: not one.required)
    signature = [", ".join([one.declared(typed) for one in first] + (["*"] if others else []) + [one.declared(typed) for one in others])
                 for typed in (False, True)]
    width = max(len(one.name) for one in given)
    lines = [f"    {one.name:<{width}}  {'False: ' if one.negated else ''}{in_python(one.words, given)}" for one in first + others]
    doc = "\n".join([what, "", "What `helio " + command + "` asks; the keywords are its options (docs/" + page + ".md).", "", *lines]) + "\n    "
    return command.replace(" ", "_"), signature, doc.replace("\\", "\\\\").replace('"""', "'''")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--helio", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    asked = parser.parse_args()
    known = commands_of(subprocess.run([asked.helio, "reference", "commands"], check=True, capture_output=True, text=True).stdout)
    front, stubs, later = HEAD + "from .result import ask as _ask\n", FRONT_STUBS, ""
    for command, page in COMMANDS.items():
        what, options = known[command]
        name, signature, doc = function_of(command, what, options, page)
        question = command.replace(" ", ".")
        front += f'\n\ndef {name}({signature[0]}):\n    """{doc}"""\n    return _ask("{question}", locals())\n'
        if name.startswith("plan"):  # a function with another within
            within = "collective" if "_" in name else "__call__"
            later += f"    def {within}(self, {signature[1]}) -> Result: ...\n"
        else:
            stubs += f"\ndef {name}({signature[1]}) -> Result: ...\n"
    front += '\n\nplan.collective = plan_collective\n'
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "_front.py").write_text(front, encoding="utf-8")
    (asked.out / "_front.pyi").write_text(f"{stubs}\n\nclass _Plan:\n{later}\n\nplan: _Plan\n", encoding="utf-8")
    (asked.out / "__init__.pyi").write_text(STUBS, encoding="utf-8")
    (asked.out / "_core.pyi").write_text(HEAD + "from typing import Any\n\n\ndef __getattr__(name: str) -> Any: ...\n", encoding="utf-8")


main()
