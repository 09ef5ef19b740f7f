# SPDX-License-Identifier: Apache-2.0
"""Algorithms and fabrics that this process brings: proven and carried like any other, for as long as they are there."""
import gc
import json
import os
import pathlib
import tempfile
import threading
import traceback
import unittest

import numpy

import heliograph as hg

QUESTION = {"fabric": "switch", "nodes": 8, "bytes": "1 MB"}


@hg.algorithm(kinds=["all-reduce"])
def star(request, hubs=1):
    """Everybody sends to a few hubs, which add and send back."""
    schedule = hg.Schedule(chunks=hubs)
    come, go = schedule.phase("in"), schedule.phase("out")
    for hub in range(hubs):
        for rank in range(request.ranks):
            if rank != hub:
                come.move(rank, hub, hub, reduce=True)
                go.move(hub, rank, hub)
    return schedule


def own_ring(request):
    """src/README.md: two phases of n moves, n - 1 times each, a slot before in every round."""
    n = request.ranks
    rank = numpy.arange(n)
    schedule = hg.Schedule(chunks=n)
    schedule.phase("reduce-scatter", n - 1).move(rank, (rank + 1) % n, (rank - 1) % n, reduce=True, stride=-1)
    schedule.phase("all-gather", n - 1).move(rank, (rank + 1) % n, rank, stride=-1)
    return schedule


class Algorithms(unittest.TestCase):
    def test_a_function_is_an_algorithm(self):
        result = hg.collective("all-reduce", algorithm=star, **QUESTION)
        self.assertEqual((result.algorithm, result.verified), ("star", True))
        # 7 ranks send 1 MB into one port of 400 Gb/s, two hops of 500 ns, and it sends 7 MB back: 2 (7 * 20 us + 1 us).
        self.assertAlmostEqual(result.time_s, 2 * (7 * 20e-6 + 1e-6), delta=1e-15)

    def test_its_parameters_are_set_like_others(self):
        hubs = hg.collective("all-reduce", algorithm=star, set={"algorithm.hubs": 8}, **QUESTION)
        # Each port takes and gives 7/8 MB in each phase.
        self.assertAlmostEqual(hubs.time_s, 2 * (7 * 2.5e-6 + 1e-6), delta=1e-15)
        with self.assertRaisesRegex(hg.InputError, "hubs"):
            hg.collective("all-reduce", algorithm=star, set={"algorithm.hub": 8}, **QUESTION)

    def test_arrays_of_moves_are_the_ring(self):
        ours = hg.collective("all-reduce", algorithm=own_ring, fabric="ring", nodes=64, bytes="1 MB", verify=True)
        ring = hg.collective("all-reduce", algorithm="ring", fabric="ring", nodes=64, bytes="1 MB", verify=True)
        self.assertEqual((ours.time_s, ours.steps, ours.traffic_bytes), (ring.time_s, ring.steps, ring.traffic_bytes))
        look = ring.look()
        taken = hg.collective("all-reduce", fabric="ring", nodes=64, bytes="1 MB", algorithm=hg.OwnAlgorithm(
            lambda request: self.copied(look), name="copied"))
        self.assertEqual(taken.time_s, ring.time_s)

    @staticmethod
    def copied(look):
        schedule = hg.Schedule(chunks=look.chunks)
        for name, repeat, moves in look.phases:
            schedule.phase(name, repeat, moves)
        return schedule

    def test_it_is_there_for_the_call_only(self):
        hg.collective("all-reduce", algorithm=star, **QUESTION)
        self.assertNotIn("star", hg.algorithms)
        with self.assertRaisesRegex(hg.InputError, "star"):
            hg.collective("all-reduce", algorithm="star", **QUESTION)

    def test_auto_compare_and_jobs_find_it(self):
        with star:
            self.assertIn("star", hg.algorithms)
            auto = hg.collective("all-reduce", **QUESTION)
            names = [one["algorithm"] for one in auto.to_dict()["alternatives"]] + [auto.algorithm]
            self.assertIn("star", names)
            compared = hg.compare("all-reduce", nodes=8, bytes="1 MB", fabric=["switch", "full-mesh"], algorithm="star")
            self.assertEqual({one["algorithm"] for one in compared.candidates}, {"star"})
        experiment = {"fabric": {"name": "switch", "nodes": 8}, "collective": [{"kind": "all-reduce", "bytes": "1 MB", "algorithm": star}]}
        self.assertEqual(hg.simulate(experiment).results[0].algorithm, "star")
        self.assertNotIn("star", hg.algorithms)

    def test_sweeps_find_it(self):
        pair = hg.Graph([(i, (i + 1) % 8) for i in range(8)])
        rows = hg.vary(hg.collective, {"fabric": ["switch", pair], "algorithm": [star, "ring", "optree"], "fabric.latency": ["0 s", "500 ns"]},
                       kind="all-reduce", bytes="1 MB", nodes=8)
        self.assertEqual(len(rows), 12)
        self.assertEqual([row["algorithm"] for row in rows[::2]], ["star", "ring", "optree"] * 2)
        # As in the first test, and without the two hops of each phase
        self.assertAlmostEqual(rows[0].time_s, 2 * 7 * 20e-6, delta=1e-15)
        self.assertAlmostEqual(rows[1].time_s, 2 * (7 * 20e-6 + 1e-6), delta=1e-15)
        self.assertTrue(rows[0].verified)
        for row in rows:
            self.assertEqual("error" in row, row["algorithm"] == "optree")  # it has no all-reduce
        self.assertNotIn("star", hg.algorithms)

    def test_pages_and_arrays_ask_it_again(self):
        result = hg.collective("all-reduce", algorithm=star, **QUESTION)
        look = result.look()
        self.assertEqual([(name, repeat, len(moves)) for name, repeat, moves in look.phases], [("in", 1, 7), ("out", 1, 7)])
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(os.path.exists(result.report(folder)))

    def test_a_wrong_one_fails_its_proof(self):
        def forgets(request):
            schedule = hg.Schedule(chunks=1)
            schedule.phase("in").move(numpy.arange(1, request.ranks), 0, 0, reduce=True)
            return schedule

        with self.assertRaisesRegex(hg.InputError, "'forgets' does not compute all-reduce on 8 ranks: .*rank"):
            hg.collective("all-reduce", algorithm=forgets, **QUESTION)

    def test_nonsense_is_refused(self):
        def phase(**move):
            def nonsense(request):
                schedule = hg.Schedule(chunks=1)
                schedule.phase("p").move(**{"source": 0, "destination": 1, "slot": 0} | move)
                return schedule

            return nonsense

        for what in ({"source": -7}, {"destination": 8}, {"slot": 1}, {"count": 2}, {"destination": 0}, {"slot": 2**40}, {"source": "a"},
                     {"source": 0.5}, {"source": None}):
            with self.subTest(what), self.assertRaises(hg.InputError):
                hg.collective("all-reduce", algorithm=phase(**what), **QUESTION)
        for gave in (None, 3, [(0, 1)], "ring"):
            with self.subTest(gave), self.assertRaisesRegex(hg.InputError, "a schedule is needed"):
                hg.collective("all-reduce", algorithm=hg.OwnAlgorithm(lambda request, gave=gave: gave, name="gives"), **QUESTION)
        wrong = numpy.zeros(1, dtype=hg.move_dtype())
        wrong["action"] = 77
        with self.assertRaisesRegex(hg.InputError, "an action or a buffer that there is not"):
            def bad(request):
                schedule = hg.Schedule(chunks=1)
                schedule.phase("p", moves=wrong)
                return schedule

            hg.collective("all-reduce", algorithm=bad, **QUESTION)
        for name in ("ring", "auto", "a b", ""):
            with self.subTest(name), self.assertRaises(hg.InputError):
                hg.collective("all-reduce", algorithm=hg.OwnAlgorithm(lambda request: None, name=name), **QUESTION)

    def test_what_it_raises_comes_through(self):
        def raises(request):
            raise ZeroDivisionError("mine")

        for algorithm in (raises, hg.OwnAlgorithm(raises)):
            try:
                hg.collective("all-reduce", algorithm=algorithm, **QUESTION)
                self.fail("nothing was raised")
            except ZeroDivisionError as error:
                self.assertEqual(str(error), "mine")
                self.assertEqual(traceback.extract_tb(error.__traceback__)[-1].name, "raises")
        with hg.OwnAlgorithm(raises), self.assertRaisesRegex(ZeroDivisionError, "mine"):
            hg.collective("all-reduce", **QUESTION)
        self.assertNotIn("raises", hg.algorithms)

    def test_a_question_within_a_question(self):
        def asks(request):
            inner = hg.collective("all-reduce", algorithm="ring", fabric="ring", nodes=4, bytes="1 MB")
            assert inner.steps == 6
            return star(request)

        self.assertEqual(hg.collective("all-reduce", algorithm=asks, **QUESTION).algorithm, "asks")

    def test_many_come_and_go_in_threads(self):
        failures = []

        def work(number):
            def mine(request):
                return star(request, hubs=number)

            mine.__name__ = f"mine-{number}"
            try:
                for _ in range(25):
                    found = hg.collective("all-reduce", algorithm=mine, **QUESTION)
                    assert found.algorithm == mine.__name__, found.algorithm
            except BaseException as error:  # told by the test
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertFalse([name for name in hg.algorithms if name.startswith("mine")])


class Fabrics(unittest.TestCase):
    def test_a_list_of_links(self):
        ring = hg.Graph([(i, (i + 1) % 8) for i in range(8)], rate="400 Gb/s", latency="500 ns")
        ours = hg.collective("all-reduce", fabric=ring, bytes="1 MB", algorithm="ring")
        theirs = hg.collective("all-reduce", fabric="ring", nodes=8, bytes="1 MB", algorithm="ring", set={"fabric.rate": "400 Gb/s"})
        self.assertEqual((ours.fabric, ours.time_s), ("graph", theirs.time_s))

    def test_a_function_of_two_ranks(self):
        def through_the_middle(source, destination):
            return [(source, "hub"), ("hub", destination)]

        star_shaped = hg.Graph.from_function(8, through_the_middle, rate=400e9, latency=500e-9)
        ours = hg.collective("all-reduce", fabric=star_shaped, bytes="1 MB", algorithm="halving-doubling")
        theirs = hg.collective("all-reduce", fabric="switch", nodes=8, bytes="1 MB", algorithm="halving-doubling",
                               set={"fabric.rate": "400 Gb/s", "fabric.latency": "500 ns"})
        self.assertAlmostEqual(ours.time_s, theirs.time_s, delta=1e-15)

    def test_a_graph_of_networkx(self):
        class Likeness:  # what is asked of networkx.Graph
            nodes = ["a", "b", "c"]

            @staticmethod
            def edges(data):
                return [("a", "b", {"rate": "100 Gb/s"}), ("b", "c", {"rate": "100 Gb/s"}), ("c", "a", {})] if data else None

            @staticmethod
            def is_directed():
                return False

        self.assertEqual(hg.Graph(Likeness()).text.split("\n")[0:3], ["node a", "node b", "node c"])
        self.assertGreater(hg.collective("all-reduce", fabric=hg.Graph(Likeness()), bytes="1 MB").time_s, 0)

    def test_wherever_a_fabric_is_named(self):
        ring = hg.Graph([(i, (i + 1) % 8) for i in range(8)])
        compared = hg.compare("all-reduce", fabric=[ring, "ring"], nodes=8, bytes="1 MB", injection="own")
        self.assertEqual(len(compared.candidates), 2)
        self.assertTrue(all(one["feasible"] for one in compared.candidates))
        told = hg.simulate({"fabric": ring, "collective": [{"kind": "all-gather", "bytes": "1 MB"}]})
        self.assertEqual(told.results[0].fabric, "graph")
        self.assertEqual(hg.traffic(fabric=ring, bytes="1 MB", iterations=2).to_dict()["nodes"], 8)

    def test_its_file_goes_with_it(self):
        ring = hg.Graph([(i, (i + 1) % 8) for i in range(8)])
        path = ring.graph_file()
        result = hg.collective("all-reduce", fabric=ring, bytes="1 MB", algorithm="ring")
        del ring
        gc.collect()
        self.assertTrue(os.path.exists(path))  # the result asks it again for pages
        with tempfile.TemporaryDirectory() as folder:
            result.trace(pathlib.Path(folder) / "t.json")
            self.assertTrue(json.loads((pathlib.Path(folder) / "t.json").read_text()))
        del result
        gc.collect()
        self.assertFalse(os.path.exists(path))

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(hg.InputError, "no name"):
            hg.Graph([("a b", "c")])
        with self.assertRaisesRegex(hg.InputError, "linked to itself"):
            hg.collective("all-reduce", fabric=hg.Graph([(0, 0)]), bytes="1 MB")
        with self.assertRaisesRegex(hg.InputError, "same rate"):
            hg.Graph.from_function(3, lambda s, d: [(s, "x", s + d), ("x", d)])


if __name__ == "__main__":
    unittest.main()
