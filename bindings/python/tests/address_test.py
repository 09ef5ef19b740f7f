# SPDX-License-Identifier: Apache-2.0
"""Arrays that outlive what they came from, under the allocator of the address sanitizer: what was freed stays poisoned, and a copy out of it
ends the process. The module is the one of the release build; the allocator and the copies of NumPy are watched."""
import os
import subprocess
import sys
import unittest

DANGLING = """
import ctypes, numpy
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
memory = libc.malloc(1 << 16)
array = numpy.ctypeslib.as_array((ctypes.c_uint8 * (1 << 16)).from_address(memory))
array.copy()
libc.free(ctypes.c_void_p(memory))
array.copy()
print("nobody saw it")
"""

OURS = """
import gc, os, tempfile
import numpy
import heliograph as hg

def looked_at():
    look = hg.collective("all-reduce", fabric="ring", nodes=256, bytes="1 MB", algorithm="bidirectional-ring").look()
    return [look.timeline, look.links, *(moves for _, _, moves in look.phases)]

def network():
    file = os.path.join(tempfile.mkdtemp(), "net.json")
    hg.onn.build(servers=2, bits=4, out=file)
    loaded = hg.onn.load(file)
    return [part for layer in loaded.layers for part in layer if isinstance(part, numpy.ndarray)] + [
        array for _, _, _, mesh in loaded.meshes() for array in (mesh.mzis, mesh.output_phases)]

arrays = looked_at() + network() + [hg.onn.mesh(numpy.eye(8)).mzis]
gc.collect()
kept = [array.tobytes() for array in arrays]
[looked_at() for _ in range(20)]
gc.collect()
assert len(arrays) > 10 and not any(array.flags.owndata for array in arrays)
assert [array.tobytes() for array in arrays] == kept
print("all are there")
"""


def sanitizer():
    """The run-time library of the address sanitizer of the compiler, where there is one."""
    try:
        said = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
    return said if os.path.isabs(said) and os.path.exists(said) else None


@unittest.skipUnless(sanitizer(), "the library of gcc's address sanitizer is not there")
class Arrays(unittest.TestCase):
    def run_watched(self, *words):
        environment = {**os.environ, "LD_PRELOAD": sanitizer(), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
        return subprocess.run([sys.executable, "-B", *words], env=environment, capture_output=True, text=True, check=False)

    def test_a_dangling_array_is_seen(self):
        said = self.run_watched("-c", DANGLING)
        self.assertNotIn("nobody saw it", said.stdout)
        self.assertIn("heap-use-after-free", said.stderr)

    def test_ours_do_not_dangle(self):
        said = self.run_watched("-c", OURS)
        self.assertEqual(said.stdout, "all are there\n", said.stderr)


if __name__ == "__main__":
    unittest.main()
