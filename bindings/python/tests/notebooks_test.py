# SPDX-License-Identifier: Apache-2.0
"""Every cell of every notebook runs, and nbconvert runs them whole where it is."""
import ast
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "notebooks"


def shown(cell, names):
    """Runs a cell; its last expression is shown as a notebook shows it."""
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        if hasattr(value, "_repr_html_"):
            return value._repr_html_()
    return ""


class Notebooks(unittest.TestCase):
    def test_every_cell_runs(self):
        books = sorted(FOLDER.glob("*.ipynb"))
        self.assertEqual(len(books), 3)
        for book in books:
            names = {}
            pictures = 0
            for number, cell in enumerate(json.loads(book.read_text(encoding="utf-8"))["cells"]):
                if cell["cell_type"] == "code":
                    with self.subTest(book=book.name, cell=number):
                        self.assertEqual(cell["outputs"], [])  # they are made, not kept
                        pictures += "<iframe" in shown(cell, names)
            self.assertGreater(pictures, 0, book.name)

    def test_nbconvert_runs_them(self):
        if not shutil.which("jupyter-nbconvert") or subprocess.run(["/usr/bin/python3", "-c", "import ipykernel"], capture_output=True, check=False).returncode:
            self.skipTest("jupyter-nbconvert and python3-ipykernel are not both there")
        with tempfile.TemporaryDirectory() as folder:
            for book in sorted(FOLDER.glob("*.ipynb")):
                subprocess.run(["jupyter-nbconvert", "--to", "html", "--execute", "--output-dir", folder, str(book)], check=True,
                               capture_output=True, env={**os.environ, "JUPYTER_RUNTIME_DIR": folder}, cwd=FOLDER.parents[2])


if __name__ == "__main__":
    unittest.main()
