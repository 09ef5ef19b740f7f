# SPDX-License-Identifier: Apache-2.0
"""Algorithms of your own: a function that gives a schedule, proven like any other before it is used.

    @hg.algorithm(kinds=["all-reduce"])
    def star(request, hubs=1):
        schedule = hg.Schedule(chunks=hubs)
        come, go = schedule.phase("in"), schedule.phase("out")
        for hub in range(hubs):
            for rank in range(request.ranks):
                if rank != hub:
                    come.move(rank, hub, hub, reduce=True)
                    go.move(hub, rank, hub)
        return schedule

    hg.collective("all-reduce", fabric="switch", nodes=8, bytes="1 MB", algorithm=star, set={"algorithm.hubs": 4})
    with star:                                  # in the catalogue: `auto`, jobs, compare find it
        hg.compare("all-reduce", nodes=8, bytes="1 MB")
"""
import inspect
import threading

from . import _core
from .errors import InputError
from .graph import Graph
from .result import Record

_BUFFERS = {"data": 0, "output": 1, "scratch": 2}
_WHOLE = 0xFFFFFFFF


def move_dtype():
    """Of the structured arrays that moves are: Move of src/schedule/moves.h."""
    return _core.move_dtype()


class Phase:
    """Moves that run together, `repeat` times: from round to round slots go on by the moves' `stride`."""

    def __init__(self, name, repeat=1):
        self.name, self.repeat, self._parts = name, repeat, []

    def move(self, source, destination, slot, to=None, *, reduce=False, count=1, stride=0, first_round=0, last_round=_WHOLE,
             queue=-1, source_buffer="data", destination_buffer="data", wavelength=-1, width=1, direction=-1):
        """`count` slots from `slot` of rank `source` to `to` (the same when left out) of `destination`, which adds (`reduce`) or
        stores them. Numbers may be arrays: a move for each element."""
        self._parts.append((source, destination, slot, slot if to is None else to, count, stride, first_round, last_round, queue,
                            wavelength, width, direction, reduce, _BUFFERS[source_buffer], _BUFFERS[destination_buffer]))
        return self

    def moves(self, array):
        """Moves of a structured array (move_dtype)."""
        self._parts.append(array)
        return self

    def _array(self):
        import numpy

        made = []
        singles = []  # runs of single moves become arrays together

        def close():
            if singles:
                made.append(_rows(numpy, [numpy.asarray(column) for column in zip(*singles)]))
                singles.clear()

        for part in self._parts:
            if isinstance(part, tuple) and all(isinstance(value, (int, bool)) for value in part):
                singles.append(part)
                continue
            close()
            made.append(_rows(numpy, part) if isinstance(part, tuple) else numpy.asarray(part, dtype=move_dtype()))
        close()
        return numpy.concatenate(made) if made else numpy.zeros(0, dtype=move_dtype())


_FIELDS = ("source", "destination", "source_slot", "destination_slot", "count", "stride", "first_round", "last_round", "queue",
           "wavelength", "width", "direction", "action", "source_buffer", "destination_buffer")


def _rows(numpy, columns):
    columns = numpy.broadcast_arrays(*(numpy.atleast_1d(column) for column in columns))
    rows = numpy.zeros(len(columns[0]), dtype=move_dtype())
    for field, column in zip(_FIELDS, columns):
        where = rows["lane"] if field in ("wavelength", "width", "direction") else rows
        limits = numpy.iinfo(where[field].dtype)
        if len(column) and (column.min() < limits.min or column.max() > limits.max):
            raise InputError(f"a move's {field} is not from {limits.min} to {limits.max}", "input", "move", "")
        where[field] = column
    return rows


class Schedule:
    """What moves, in phases: src/schedule/schedule.h. `chunks` slots make the vector; `scratch` further ones hold nothing at first."""

    def __init__(self, chunks, *, scratch=0, order="step", result="data"):
        if order not in ("step", "dataflow") or result not in ("data", "output"):
            raise InputError(f"'{order}', '{result}'", "input", "Schedule", "order is step or dataflow, result data or output")
        self.chunks, self.scratch, self.order, self.result, self.phases = chunks, scratch, order, result, []

    def phase(self, name="", repeat=1, moves=None):
        self.phases.append(Phase(name, repeat))
        return self.phases[-1] if moves is None else self.phases[-1].moves(moves)

    def _plain(self):
        return (self.chunks, self.scratch, self.result == "output", self.order == "dataflow",
                [(phase.name, phase.repeat, phase._array()) for phase in self.phases])


class OwnAlgorithm:
    """A function as an algorithm. While it is entered (`with star:`, or star.add()) it is in the catalogue of this process."""

    _lock = threading.Lock()
    _there: dict[str, list] = {}  # by name: whose it is, how often it was entered, its place in the catalogue

    def __init__(self, function, name=None, kinds=("all-reduce",), summary=None):
        self.function = function
        self.name = name or getattr(function, "__name__", type(function).__name__).strip("<>").replace("_", "-")
        self.kinds = list(kinds)
        self.summary = summary or (inspect.getdoc(function) or "a function of this process").split("\n")[0]
        declared = list(inspect.signature(function).parameters.values())[1:]
        self.parameters = {one.name: one.default for one in declared if one.default is not one.empty}
        self.__doc__ = function.__doc__

    def __call__(self, request, **parameters):
        return self.function(request, **parameters)

    def __repr__(self):
        return f"<algorithm '{self.name}' of this process>"

    def _build(self, request, parameters):
        made = self.function(Record(request), **parameters)
        if not isinstance(made, Schedule):
            raise InputError(f"algorithm '{self.name}' gave {type(made).__name__}, and a schedule is needed", "input", "algorithm",
                             "return a heliograph.Schedule")
        try:
            return made._plain()
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(f"the schedule of algorithm '{self.name}' is none: {error}", "input", "algorithm",
                             "correct the function") from error

    def add(self):
        """Into the catalogue, until remove()."""
        with self._lock:
            there = self._there.get(self.name)
            if there and there[0] is not self and there[0].function is not self.function:
                raise InputError(f"there is an algorithm '{self.name}' already", "input", "algorithm", "give it another name")
            if not there:
                made = _core.Own(self.name, self.kinds, self.summary, self.parameters, self._build)
                there = self._there[self.name] = [self, 0, made]
            there[1] += 1
        return self

    def remove(self):
        with self._lock:
            there = self._there.get(self.name)
            if not there:
                return
            there[1] -= 1
            if there[1] == 0:
                del self._there[self.name]
                there[2].close()

    __enter__ = add

    def __exit__(self, *_):
        self.remove()


def algorithm(function=None, *, name=None, kinds=("all-reduce",), summary=None):
    """Makes an algorithm of a function from a request (kind, ranks, root, bytes, groups, fabric, nodes, link_rate, …) to a Schedule.
    Its further parameters must have defaults; they are set as algorithm.NAME."""
    if function is None:
        return lambda given: OwnAlgorithm(given, name, kinds, summary)
    return OwnAlgorithm(function, name, kinds, summary)


def brought(values, present):
    """The values with names in place of functions and graphs, which go to `present`."""
    values = dict(values)
    chosen = values.get("algorithm")
    if callable(chosen):
        if not isinstance(chosen, OwnAlgorithm):
            chosen = OwnAlgorithm(chosen, kinds=[values["kind"]] if "kind" in values else ("all-reduce",))
        present.append(chosen)
        values["algorithm"] = chosen.name
        if "kind" in values and "verify" in values:
            values["verify"] = True
    fabric = values.get("fabric")
    if isinstance(fabric, Graph):
        present.append(fabric)
        if "kind" in values and "bytes" in values and "error" not in values:
            values["fabric"] = "graph"
            given = values.get("set") or {}
            if not isinstance(given, dict):
                given = dict(each.split("=", 1) for each in ([given] if isinstance(given, str) else given))
            values["set"] = {"fabric.file": fabric.graph_file(), **given}
        else:
            values["fabric"] = f"graph:file={fabric.graph_file()}"
    elif isinstance(fabric, (list, tuple)):
        present += [one for one in fabric if isinstance(one, Graph)]
        values["fabric"] = [f"graph:file={one.graph_file()}" if isinstance(one, Graph) else one for one in fabric]
    return values
