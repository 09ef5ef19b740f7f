# SPDX-License-Identifier: Apache-2.0
"""Optical networks that average: docs/onn.md, and meshes of MZIs: docs/meshes.md."""
import os

from . import _core
from ._front import onn_build as build
from ._front import onn_decompose as decompose
from ._front import onn_describe as describe
from ._front import onn_evaluate as evaluate

__all__ = ["build", "decompose", "describe", "evaluate", "load", "mesh"]


def load(file):
    """A network from its file, with its weights, biases and meshes as arrays (numpy) that share the memory of the library."""
    return _core.load_network(os.fspath(file))


def mesh(matrix, layout="rectangular"):
    """The mesh of MZIs that multiplies by a unitary matrix, or by one with orthonormal columns or rows."""
    return _core.decompose(matrix, layout)
