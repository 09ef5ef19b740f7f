# SPDX-License-Identifier: Apache-2.0
"""The commands that the documents show, and their Python twins: words of a command line ─▶ the call of a function of heliograph."""
import inspect
import pathlib
import re
import shlex

import heliograph as hg

ROOT = pathlib.Path(__file__).resolve().parents[3]
FUNCTIONS = {"collective": hg.collective, "simulate": hg.simulate, "compare": hg.compare, "plan": hg.plan,
             "plan collective": hg.plan.collective, "reproduce": hg.reproduce, "validate": hg.validate, "fit": hg.fit,
             "slices": hg.slices, "traffic": hg.traffic, "fred route": hg.fred.route, "onn build": hg.onn.build,
             "onn evaluate": hg.onn.evaluate, "onn decompose": hg.onn.decompose, "onn describe": hg.onn.describe}


KINDS = "all-reduce|reduce-scatter|all-gather|broadcast|reduce|all-to-all"


def command_lines():
    """Every command of README.md and docs/*.md, as words: in blocks and among words. What has a place-holder is no command."""
    found = {}
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        blocks = re.findall(r"^```[a-z]*\n(.*?)^```", text, flags=re.M | re.S)
        rest = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        lines = [match[1] for block in blocks for line in re.sub(r"\\\n\s*", " ", block).split("\n")
                 if (match := re.match(r"(?:\$ )?helio ([a-z].*)", line))]
        lines += [" ".join(line.split()) for line in re.findall(r"`helio ([a-z][^`]*)`", rest)]
        if page.name == "README.md":  # a table of collectives says once what all of them begin and end with
            lines += [f"collective {line} --bytes 100MB" for line in re.findall(rf"`((?:{KINDS}) --fabric [^`]*)`", rest)]
        for line in lines:
            line = re.sub(r"\s+#.*| {3,}.*", "", line)
            if re.search(r"\b[A-Z]{4,}\b|\b[NFA]\b|…|\.\.\.|[|<>\[]|--help", line):
                continue
            words = shlex.split(line)
            name = " ".join(words[:2]) if " ".join(words[:2]) in FUNCTIONS else words[0]
            if name in FUNCTIONS:
                found.setdefault(tuple(words), page.name)
    return found


def twin(words):
    """The function and its keywords. The output of a command that goes elsewhere (a report, a trace) is left out."""
    name = " ".join(words[:2]) if " ".join(words[:2]) in FUNCTIONS else words[0]
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    positional = [one for one in parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    given, rest = {}, list(words[name.count(" ") + 1:])
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            given[positional.pop(0).name] = word
            continue
        option, equals, value = word.partition("=")
        key = option[2:].replace("-", "_")
        if key in ("json", "what_if", "no_what_if"):
            continue
        if key in ("report", "trace"):
            value or rest.pop(0)
        elif key.startswith("no_"):
            given[key[3:]] = False
        elif parameters[key].default is False:
            given[key] = True
        else:
            value = value if equals else rest.pop(0)
            if key in ("set", "level", "where", "log", "constant") or (key == "fabric" and name not in ("collective", "validate", "fit")):
                given.setdefault(key, []).append(value)
            else:
                given[key] = value
    return FUNCTIONS[name], given


def plain_command(words):
    """The words without what says where output goes, and with --json."""
    kept, skip = [], False
    for word in words:
        if skip or word in ("--report", "--trace", "--json"):
            skip = not skip and word != "--json"
            continue
        if not word.startswith(("--report=", "--trace=")):
            kept.append(word)
    return [*kept, "--json"]
