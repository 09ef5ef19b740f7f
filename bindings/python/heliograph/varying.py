# SPDX-License-Identifier: Apache-2.0
"""One question for many values, in this process: a sweep in which functions and graphs may be among the values."""
import itertools
import os

from .errors import HelioError
from .graph import Graph
from .result import Record


def vary(question, values, /, **given):
    """A row for every combination of `values`, in their order: what was varied, then the keys of the answer that are numbers, words or truths;
    of what was refused `error`, the reason. Names with a dot are parameters.

        hg.vary(hg.collective, {"algorithm": [star, "ring"], "fabric.rate": ["100 Gb/s", "400 Gb/s"]}, kind="all-reduce", …)

    What takes hours, or may take the process along, is rather asked with hg.sweep.
    """
    rows = []
    for chosen in itertools.product(*values.values()):
        asked = dict(zip(values, chosen))
        settings = dict(_settings(given.get("set")))
        keywords = {key: value for key, value in given.items() if key != "set"}
        for name, value in asked.items():
            (settings if "." in name else keywords)[name] = value
        row = Record({name: _shown(value) for name, value in asked.items()})
        try:
            answer = question(**keywords, **({"set": settings} if settings else {})).to_dict()
            row.update({key: value for key, value in answer.items() if key not in row and not isinstance(value, (dict, list))})
        except HelioError as error:
            row["error"] = str(error)
        rows.append(row)
    return rows


def _settings(given):
    if isinstance(given, str):
        given = [given]
    return given.items() if hasattr(given, "items") else (each.split("=", 1) for each in given or ())


def _shown(value):
    """As a row has it: of a function its name, of a graph what it is."""
    if isinstance(value, Graph):
        return repr(value)
    if callable(value):
        return getattr(value, "name", None) or getattr(value, "__name__", repr(value))
    return os.fspath(value) if hasattr(value, "__fspath__") else value
