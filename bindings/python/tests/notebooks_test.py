# SPDX-License-Identifier: Apache-2.0
"""Every cell of every notebook runs, and nbconvert runs them whole where it is."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "notebooks"
sys.path.append(str(FOLDER))
import pages


class Notebooks(unittest.TestCase):
    def test_every_cell_runs(self):
        self.assertEqual(len(pages.books()), 3)
        for book in pages.books():
            pictures = 0
            for cell, _, _, shown, _ in pages.cells(book):
                self.assertEqual(cell.get("outputs", []), [])  # they are made, not kept
                pictures += "<iframe" in shown
            self.assertGreater(pictures, 0, book.name)

    def test_they_are_pages_of_the_documentation(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pages.page(FOLDER / "collectives.ipynb", pathlib.Path(folder))
            self.assertIn("```python\nimport numpy\n", text)
            self.assertIn("in-fabric all-reduce needs a fabric that reduces", text)  # printed by a cell
            for picture in re.findall(r'src="([^"]*)"', text):
                self.assertTrue((pathlib.Path(folder) / picture).read_text(encoding="utf-8").startswith("<!"))
            self.assertNotIn("srcdoc", text)

    def test_nbconvert_runs_them(self):
        if not shutil.which("jupyter-nbconvert") or subprocess.run(["/usr/bin/python3", "-c", "import ipykernel"], capture_output=True, check=False).returncode:
            self.skipTest("jupyter-nbconvert and python3-ipykernel are not both there")
        with tempfile.TemporaryDirectory() as folder:
            for book in sorted(FOLDER.glob("*.ipynb")):
                subprocess.run(["jupyter-nbconvert", "--to", "html", "--execute", "--output-dir", folder, str(book)], check=True,
                               capture_output=True, env={**os.environ, "JUPYTER_RUNTIME_DIR": folder}, cwd=FOLDER.parents[2])


if __name__ == "__main__":
    unittest.main()
