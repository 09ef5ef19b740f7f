# SPDX-License-Identifier: Apache-2.0
"""Arrays share the memory of the library, and it lives as long as they do."""
import gc
import pathlib
import tempfile
import unittest

import numpy

import heliograph as hg


def address(array):
    return array.__array_interface__["data"][0]


class Looks(unittest.TestCase):
    def test_a_ring_by_hand(self):
        # src/README.md: 6 rounds of 4 transfers of 2 B, 3 s each; rounds that repeat are one row.
        look = hg.collective("all-reduce", fabric="ring", nodes=4, bytes="8 B", algorithm="ring",
                             set={"fabric.rate": "1 B/s", "fabric.latency": "1 s"}).look()
        moves = look.timeline[look.timeline["kind"] == 2]
        self.assertEqual((moves["bytes"] * moves["rounds"]).sum(), 6 * 4 * 2)
        self.assertEqual((moves["end_s"] + (moves["rounds"] - 1) * moves["period_s"]).max(), 18)
        self.assertEqual(set(moves["end_s"] - moves["start_s"]), {3})
        self.assertEqual(look.link_name(int(moves["link"][0])), "ring link 0 to 1")
        self.assertEqual(moves["rank"].tolist(), [0, 1, 2, 3] * 4)  # in each phase a first round, and two more
        self.assertEqual(look.links["bytes"].sum(), 48)
        self.assertEqual(look.links["busy_s"].max(), 12)
        name, repeat, reduce_scatter = look.phases[0]
        self.assertEqual((name, repeat), ("reduce-scatter", 3))
        self.assertEqual(reduce_scatter["source"].tolist(), [0, 1, 2, 3])
        self.assertEqual(reduce_scatter["source_slot"].tolist(), [3, 0, 1, 2])
        self.assertEqual(reduce_scatter["action"].tolist(), [1, 1, 1, 1])

    def test_transfers_are_those_of_their_ranks(self):
        # On these fabrics the first link of a way is named after its ends: what the name says is what the columns say.
        names = {"ring": "ring link {} to {}", "full-mesh": "link {} to {}", "switch": "link {} to switch"}
        for fabric, link in names.items():
            for algorithm in ("ring", "halving-doubling", "direct"):
                for sync in ("step", "dataflow"):
                    look = hg.collective("all-reduce", fabric=fabric, nodes=8, bytes="1 MB", algorithm=algorithm, sync=sync).look()
                    moves = look.timeline[look.timeline["kind"] == 2]
                    self.assertGreater(len(moves), 0)
                    with self.subTest(fabric=fabric, algorithm=algorithm, sync=sync):
                        self.assertTrue(((moves["rank"] >= 0) & (moves["peer"] >= 0) & (moves["rank"] != moves["peer"])).all())
                        one = moves[moves["hops"] == moves["hops"].min()]
                        said = [look.link_name(int(row["link"])) for row in one]
                        self.assertEqual(said, [link.format(row["rank"], row["peer"]) for row in one])

    def test_a_million_spans_without_a_copy(self):
        result = hg.collective("all-to-all", fabric="full-mesh", nodes=1024, bytes="1 MB", algorithm="direct", budget="60 s")
        look = result.look()
        first, second = look.timeline, look.timeline
        self.assertGreaterEqual(len(first), 1024 * 1023)
        self.assertFalse(look.timeline_cut)
        self.assertEqual(address(first), address(second))  # of the library
        self.assertFalse(first.flags.owndata)
        self.assertFalse(first.flags.writeable)
        with self.assertRaises(ValueError):
            first["bytes"][0] = 1

    def test_arrays_outlive_what_they_came_from(self):
        def timeline():
            return hg.collective("all-reduce", fabric="ring", nodes=256, bytes="1 MB", algorithm="bidirectional-ring").look().timeline["end_s"]

        ends = timeline()
        sum_before = ends.sum()
        gc.collect()
        others = [timeline() for _ in range(20)]
        self.assertEqual(ends.sum(), sum_before)
        self.assertEqual(len(others), 20)

    def test_other_answers_have_none(self):
        with self.assertRaisesRegex(hg.InputError, "no collectives to look at"):
            hg.fred.route(ports=12, groups="0,3,6").look()
        with self.assertRaisesRegex(hg.InputError, "there is no collective 1"):
            hg.collective("all-reduce", fabric="ring", nodes=4, bytes="1 MB").look(1)

    def test_what_a_search_found_is_looked_at(self):
        for fabric in ("ring", "torus", "wdm-ring", "fat-tree"):
            result = hg.collective("all-reduce", fabric=fabric, bytes="1 MB",
                                   **({"set": {"fabric.dimensions": "4x4"}} if fabric == "torus" else {"nodes": 16}))
            with self.subTest(fabric, algorithm=result.algorithm):
                ends = result.look().timeline
                # The last row is a call or what ended last
                self.assertAlmostEqual(float((ends["end_s"] + (ends["rounds"] - 1) * ends["period_s"]).max()), result.time_s, delta=1e-9 * result.time_s)


class Networks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = pathlib.Path(cls.folder.name) / "net.json"
        cls.built = hg.onn.build(servers=2, bits=4, out=cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_averages_are_exact(self):
        network = hg.onn.load(self.file)
        codes = numpy.stack(numpy.meshgrid(numpy.arange(16), numpy.arange(16)), -1).reshape(-1, 2)
        symbols = numpy.stack([codes & 3, codes >> 2], -1)  # two PAM4 symbols of each code, the lowest first
        averages = network.averages(symbols.sum(axis=1))
        numpy.testing.assert_array_equal(averages, (codes.sum(axis=1) + 1) // 2)  # half-up
        self.assertEqual(self.built.wrong, 0)
        with self.assertRaisesRegex(hg.InputError, r"shape \(points, 2\)"):
            network.averages([1, 2, 3])

    def test_weights_outlive_their_network(self):
        network = hg.onn.load(self.file)
        weights, bias = network.layers[0]
        self.assertEqual(address(weights), address(network.layers[0][0]))
        kept = weights.copy()
        del network
        gc.collect()
        [hg.onn.load(self.file) for _ in range(20)]
        numpy.testing.assert_array_equal(weights, kept)
        self.assertEqual(bias.shape, (weights.shape[0],))

    def test_meshes_multiply_by_their_matrices(self):
        random = numpy.random.default_rng(1)
        unitary = numpy.linalg.qr(random.normal(size=(6, 6)) + 1j * random.normal(size=(6, 6)))[0]
        for layout in ("rectangular", "triangular"):
            mesh = hg.onn.mesh(unitary, layout)
            numpy.testing.assert_allclose(mesh.matrix(), unitary, atol=1e-12)
            self.assertEqual(len(mesh.mzis), 15)  # n (n - 1) / 2
            self.assertEqual(mesh.output_phases.shape, (6,))
        mzis = hg.onn.mesh(unitary).mzis
        gc.collect()
        self.assertTrue(numpy.isfinite(mzis["theta"]).all())
        for layer, block, part, mesh in hg.onn.load(self.file).meshes():
            self.assertIn(part, ("in", "out"))
            self.assertEqual(mesh.matrix().shape, (mesh.outputs, mesh.inputs))
        with self.assertRaisesRegex(hg.InputError, "unitary"):
            hg.onn.mesh(numpy.ones((3, 3)))
        for wrong in ("text", [1, 2], [[1, "a"]]):
            with self.assertRaises(hg.InputError):
                hg.onn.mesh(wrong)


if __name__ == "__main__":
    unittest.main()
