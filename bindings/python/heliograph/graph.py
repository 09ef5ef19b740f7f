# SPDX-License-Identifier: Apache-2.0
"""Fabrics of your own: a list of links, a graph of networkx, or a function from two ranks to the links between them."""
import os
import tempfile
import weakref

from .errors import InputError


def _quantity(value, unit):
    return value if isinstance(value, str) else f"{float(value):.17g} {unit}"


class Graph:
    """A network to be asked about: `hg.collective(…, fabric=Graph(…))`, and wherever else a fabric is named.

    links     (a, b), (a, b, rate), (a, b, rate, latency), (a, b, {"rate": …, "latency": …, "count": …}), or a graph of networkx
    nodes     the ranks in their order: names, or how many; all ends of links that are no switches when left out
    switches  ends of links that are no ranks
    rate      of links that say none: "400 Gb/s", or bits per second; one direction of one link
    latency   of links that say none: "500 ns", or seconds; fabric.latency when left out
    directed  links lead from a to b only; of networkx as its graph says
    """

    def __init__(self, links, *, nodes=None, switches=(), rate="400 Gb/s", latency=None, directed=None):
        if hasattr(links, "edges"):
            graph, links = links, list(links.edges(data=True))
            nodes = nodes if nodes is not None else [name for name in graph.nodes if name not in set(switches)]
            directed = graph.is_directed() if directed is None and hasattr(graph, "is_directed") else directed
        links = [self._link(each, rate, latency) for each in links]
        switches = [str(name) for name in switches]
        if nodes is None:
            ends = dict.fromkeys(end for a, b, _ in links for end in (a, b))
            nodes = [name for name in ends if name not in set(switches)]
        nodes = [str(name) for name in (range(nodes) if isinstance(nodes, int) else nodes)]
        lines = [f"node {name}" for name in nodes] + [f"switch {name}" for name in switches]
        lines += [f"link {a} {b} {words}{' oneway' if directed else ''}" for a, b, words in links]
        for name in [*nodes, *switches]:
            if not name or any(c.isspace() or c == "#" for c in name):
                raise InputError(f"'{name}' is no name for a node", "input", "nodes", "give names without blanks and '#'")
        self.nodes, self.switches = nodes, switches
        self.text = "\n".join(lines) + "\n"
        self._file = None

    @classmethod
    def from_function(cls, nodes, links, **how):
        """From `links(source, destination)`, the links that a byte crosses on its way, each as above. It is evaluated once for every two ranks; what it
        names together is the graph, whose ways are then the shortest."""
        found = {}
        for source in range(nodes):
            for destination in range(nodes):
                if source == destination:
                    continue
                for each in links(source, destination):
                    a, b, *rest = each
                    if found.setdefault((str(a), str(b)), rest) != rest:
                        raise InputError(f"the link from '{a}' to '{b}' is {found[str(a), str(b)]} and {rest}", "input", "links",
                                         "give a link the same rate each time")
        ends = {end for pair in found for end in pair}
        ranks = [str(rank) for rank in range(nodes)]
        switches = sorted(ends - set(ranks))
        return cls([(a, b, *rest) for (a, b), rest in found.items()], nodes=ranks, switches=switches, directed=True, **how)

    @staticmethod
    def _link(each, rate, latency):
        a, b, *rest = each
        said = dict(rest[0]) if rest and isinstance(rest[0], dict) else dict(zip(("rate", "latency", "count"), rest))
        words = _quantity(said.get("rate", rate), "b/s")
        if said.get("latency", latency) is not None:
            words += " " + _quantity(said.get("latency", latency), "s")
        if "count" in said:
            words += f" x{int(said['count'])}"
        return str(a), str(b), words

    def graph_file(self):
        """The path of a file with the graph (docs/graph-file.md), which is there as long as the object is."""
        if self._file is None:
            handle, self._file = tempfile.mkstemp(prefix="heliograph-", suffix=".graph")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self.text)
            weakref.finalize(self, lambda path: os.path.exists(path) and os.remove(path), self._file)
        return self._file

    def save(self, path):
        """Writes that file elsewhere, to stay."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def __repr__(self):
        return f"<Graph of {len(self.nodes)} nodes, {len(self.switches)} switches>"
