# SPDX-License-Identifier: Apache-2.0
"""What there is, as the catalogues have it: fabrics["wdm-ring"].parameters["wavelengths"].default."""
import collections.abc
import json

from . import _core
from .errors import InputError
from .result import Record


class Entry(Record):
    """One of them. `parameters` are by name, and in their order; describe() tells all of it in words."""

    def describe(self):
        return _core.describe(self["name"])

    def bill(self, nodes=None, set=None):
        """What a fabric of so many nodes is made of, takes and costs."""
        return json.loads(_core.describe_json(self["name"], None if nodes is None else str(nodes), set or {}), object_hook=Record)

    def __repr__(self):
        return f"<{self['name']}: {self['summary']}>"


class Catalogue(collections.abc.Mapping):
    """Entries by name, those that this process brought among them."""

    def __init__(self, room):
        self._room = room

    def _entries(self):
        found = {}
        for each in json.loads(_core.catalogue(self._room), object_hook=Record)[self._room]:
            if "parameters" in each:
                each["parameters"] = Record({one["name"]: one for one in each["parameters"]})
            found[each["name"]] = Entry(each)
        return found

    def __getitem__(self, name):
        entries = self._entries()
        if name in entries:
            return entries[name]
        raise _Unknown(f"there is no '{name}' among the {self._room}", "input", "", f"name one of: {', '.join(entries)}")

    def __iter__(self):
        return iter(self._entries())

    def __len__(self):
        return len(self._entries())

    def __repr__(self):
        return "\n".join(f"{name}: {entry['summary']}" for name, entry in self.items())


class _Unknown(InputError, KeyError):
    __str__ = InputError.__str__


def describe(name):
    """What `helio describe` says of it."""
    return _core.describe(name)


fabrics, algorithms, models, npus, parts, studies = (
    Catalogue(room) for room in ("fabrics", "algorithms", "models", "npus", "parts", "studies"))
