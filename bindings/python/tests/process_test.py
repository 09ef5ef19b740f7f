# SPDX-License-Identifier: Apache-2.0
"""In a process that lives on: what an import loads, what a call costs, Ctrl-C, threads, memory."""
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

import heliograph as hg

SMALL = {"fabric": "ring", "nodes": 8, "bytes": "1 MB", "algorithm": "ring"}
LONG = {"kind": "all-to-all", "fabric": "torus", "bytes": "1 GB", "algorithm": "direct", "set": {"fabric.dimensions": "16x16x8"},
        "budget": "600 s"}


def run(code):
    return subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=True).stdout


def processor_s(code, times=5):
    """The least of several: what others take of the machine is no part of it."""
    least = float("inf")
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(code)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


class Import(unittest.TestCase):
    def test_it_loads_little(self):
        maps = run("import heliograph; print(open('/proc/self/maps').read())")
        self.assertIn("heliograph/_core", maps)
        for library in ("libtorch", "libc10", "libmpi", "libsimgrid", "numpy"):
            self.assertNotIn(library, maps)

    def test_it_takes_milliseconds(self):
        took = processor_s("import heliograph") - processor_s("pass")
        print(f"import: {1e3 * took:.1f} ms of processor time")
        self.assertLess(took, 0.050)


class Calls(unittest.TestCase):
    def test_ten_thousand_small_ones(self):
        def asked(times):
            begin = time.process_time()
            for _ in range(times):
                hg.collective("all-reduce", **SMALL)
            return time.process_time() - begin

        asked(1000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        took = asked(10_000)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f"10,000 collectives: {took:.2f} s, {grown} KiB more")
        self.assertLess(took, 3)
        self.assertLess(grown, 4096)

    def test_own_algorithms_leave_nothing_behind(self):
        def pair(request):
            schedule = hg.Schedule(chunks=1)
            schedule.phase("a").move(0, 1, 0, reduce=True)
            schedule.phase("b").move(1, 0, 0)
            return schedule

        def asked(times):
            for _ in range(times):
                hg.collective("all-reduce", algorithm=pair, fabric="ring", nodes=2, bytes="1 MB")

        asked(200)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        asked(1000)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4096)

    def test_a_refusal_leaves_the_next_question_alone(self):
        for _ in range(100):
            with self.assertRaises(hg.InfeasibleError):
                hg.collective(**LONG | {"budget": "1 ms"})
        self.assertEqual(hg.collective("all-reduce", **SMALL).steps, 14)

    def test_no_limit_of_the_process_changes(self):
        before = [resource.getrlimit(one) for one in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
        hg.collective("all-reduce", budget="1 s, 100 MB", **SMALL)
        self.assertEqual([resource.getrlimit(one) for one in (resource.RLIMIT_AS, resource.RLIMIT_DATA)], before)


class CtrlC(unittest.TestCase):
    def interrupted(self, ask):
        """Seconds from the signal to KeyboardInterrupt."""
        sent = []

        def send():
            time.sleep(0.15)
            sent.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=send)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            ask()
        took = time.process_time() - sent[0]
        thread.join()
        return took

    def test_a_long_question_stops(self):
        took = self.interrupted(lambda: hg.collective(**LONG))
        print(f"Ctrl-C: {1e3 * took:.0f} ms of processor time")
        self.assertLess(took, 0.5)
        self.assertEqual(hg.collective("all-reduce", **SMALL).steps, 14)  # and the next one is asked as ever

    def test_a_function_that_never_returns_stops(self):
        def forever(request):
            while True:
                pass

        self.interrupted(lambda: hg.collective("all-reduce", **SMALL | {"algorithm": forever}))
        self.assertNotIn("forever", hg.algorithms)

    def test_a_handler_that_only_takes_note(self):
        noted = []
        before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
        self.addCleanup(signal.signal, signal.SIGINT, before)
        self.interrupted(lambda: hg.collective(**LONG))
        self.assertEqual(noted, [signal.SIGINT])


class Threads(unittest.TestCase):
    def test_others_run_meanwhile(self):
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        begin = counted[0]
        with self.assertRaises(hg.InfeasibleError):
            hg.collective(**LONG | {"budget": "0.3 s"})
        ran = counted[0] - begin
        done.set()
        thread.join()
        self.assertGreater(ran, 20)

    def test_answers_of_threads_are_those_of_one(self):
        expected = hg.collective("all-reduce", fabric="switch", nodes=16, bytes="1 MB").to_json()
        found = []
        threads = [threading.Thread(target=lambda: found.extend(
            hg.collective("all-reduce", fabric="switch", nodes=16, bytes="1 MB").to_json() for _ in range(20))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(found), {expected})
        self.assertEqual(len(found), 80)


if __name__ == "__main__":
    unittest.main()
