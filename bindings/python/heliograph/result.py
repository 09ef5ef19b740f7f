# SPDX-License-Identifier: Apache-2.0
"""Answers: attributes named like the keys of JSON, pages, traces, arrays."""
import contextlib
import functools
import json
import os

from . import _core


class Record(dict):
    """An object of JSON whose keys are attributes, too: record.time_s is record["time_s"]."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no '{name}' here, but {', '.join(self)}") from None

    def __dir__(self):
        return [*super().__dir__(), *self]


class Result:
    """What a question gave. `result.time_s` is the key time_s of its JSON; see helio describe keys."""

    def __init__(self, answered, present=()):
        self._answered, self._present = answered, tuple(present)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._record, name)

    def __dir__(self):
        return [*super().__dir__(), *self._record]

    def __getitem__(self, key):
        return self._record[key]

    def __repr__(self):
        return self._answered.text().rstrip("\n")

    @functools.cached_property
    def _record(self):
        return json.loads(self.to_json(), object_hook=Record)

    def to_json(self):
        """What the command prints with --json, to the byte."""
        return self._answered.json()

    def to_dict(self):
        """The same as a dict."""
        return json.loads(self.to_json())

    def to_frame(self, key):
        """The list of objects under `key` as a data frame of pandas, which must be there."""
        import pandas

        return pandas.DataFrame.from_records(self.to_dict()[key])

    def report(self, folder):
        """Writes the page with pictures and reasons, and its data, into the folder; the path of the page."""
        with self._as_asked():
            self._answered.report(os.fspath(folder))
        return os.path.join(os.fspath(folder), "index.html")

    def trace(self, path):
        """Writes a trace for Perfetto or chrome://tracing."""
        with self._as_asked():
            self._answered.trace(os.fspath(path))

    def look(self, collective=0, *, most_spans=4_000_000):
        """The collective once more, with its schedule, operations and links as arrays (numpy) that share the memory of the library."""
        with self._as_asked():
            return self._answered.look(collective, most_spans)

    def _repr_html_(self):
        """The summary and the picture of the page that report() writes, without what takes further runs."""
        import html

        text = f"<pre>{html.escape(repr(self))}</pre>"
        try:
            with self._as_asked():
                page = self._answered.html()
        except Exception as error:  # a picture that cannot be drawn is no reason to show nothing
            return text + f"<pre>no picture: {html.escape(str(error))}</pre>"
        frame = '<iframe sandbox="allow-scripts" style="width: 100%; height: 640px; border: 0" srcdoc="{}"></iframe>'
        return text + (frame.format(html.escape(page)) if page else "")

    @contextlib.contextmanager
    def _as_asked(self):
        """The algorithms that were brought for the question are there again."""
        with contextlib.ExitStack() as stack:
            for one in self._present:
                if hasattr(one, "__enter__"):  # an algorithm; a graph has its file as long as it is kept
                    stack.enter_context(one)
            yield


class _Said:
    """An answer that is JSON alone."""

    def __init__(self, text):
        self.json = self.text = lambda: text


def ask(name, given):
    """The answer to a question of _front.py: functions and graphs among its values are what they stand for while it is asked."""
    present = []
    values = {key: value for key, value in given.items() if value is not None}
    call = f"heliograph.{name}({', '.join(f'{key}={value!r}' for key, value in values.items() if value is not False)})"
    if name == "sweep":
        from . import sweeping

        return Result(_Said(sweeping.run(values)))
    if isinstance(values.get("experiment"), dict):
        from . import experiment

        values["text"] = experiment.text_of(values["experiment"], present)
        values["experiment"] = "experiment"
    elif any(callable(value) or hasattr(value, "graph_file") or isinstance(value, (list, tuple)) for value in values.values()):
        from . import own

        values = own.brought(values, present)
    if name == "onn.build":
        values["command"] = call
    result = Result(None, present)
    with result._as_asked():
        result._answered = _core.ask(name, values, call)
    return result
