# SPDX-License-Identifier: Apache-2.0
"""Experiments as dicts: what an experiment file holds (docs/experiment-file.md), with functions and graphs where it has names."""
import json

from .graph import Graph
from .own import OwnAlgorithm


def text_of(experiment, present):
    """The file, as text. Functions and graphs go to `present`."""
    lines, tables = [], []
    for key, value in experiment.items():
        if key == "fabric":
            if isinstance(value, Graph):
                present.append(value)
                value = {"name": "graph", "file": value.graph_file()}
            elif isinstance(value, str):
                value = {"name": value}
        if isinstance(value, dict):
            tables += _table(key, value, present)
        elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            for one in value:
                tables += _table(key, one, present, listed=True)
        else:
            lines.append(f"{_key(key)} = {_value(value, present)}")
    return "\n".join(lines + tables) + "\n"


def _table(name, table, present, listed=False):
    lines = ["", f"[[{name}]]" if listed else f"[{name}]"]
    within = []
    for key, value in table.items():
        if isinstance(value, dict):
            within += _table(f"{name}.{_key(key)}", value, present)
        elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            for one in value:
                within += _table(f"{name}.{_key(key)}", one, present, listed=True)
        else:
            lines.append(f"{_key(key)} = {_value(value, present)}")
    return lines + within


def _key(key):
    return key if key.replace("_", "").replace("-", "").isalnum() else json.dumps(key)


def _value(value, present):
    if isinstance(value, OwnAlgorithm):
        present.append(value)
        value = value.name
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(one, present) for one in value) + "]"
    return json.dumps(str(value), ensure_ascii=False)
