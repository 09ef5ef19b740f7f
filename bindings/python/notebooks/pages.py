# SPDX-License-Identifier: Apache-2.0
"""Notebooks run cell by cell, as a reader of the page runs them: their cells with what they print and show ─▶ pages of the documentation.

    pages.py FOLDER       notebook-NAME.md for each notebook beside this file, and its pictures in notebooks/, from the root of a checkout

Jupyter is not needed: the last expression of a cell is shown by its _repr_html_, or else by its repr.
"""
import ast
import contextlib
import html
import io
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent


def books():
    return sorted(HERE.glob("*.ipynb"))


def cells(book):
    """Each cell: what it is, its source, what it prints, and what its last expression shows, in HTML or as text."""
    names = {}
    for cell in json.loads(book.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            yield cell, source, "", "", ""
            continue
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        printed, shown, text = io.StringIO(), "", ""
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, book.name, "exec"), names)
            value = eval(compile(ast.Expression(last.value), book.name, "eval"), names) if last else None
        if hasattr(value, "_repr_html_"):
            shown = value._repr_html_()
        elif value is not None:
            text = repr(value)
        yield cell, source, printed.getvalue(), shown, text


def page(book, folder):
    """The notebook in Markdown. The pages in its frames become files of their own, which only who looks at them loads."""
    parts, pictures = [], 0

    def framed(match):
        nonlocal pictures
        pictures += 1
        picture = folder / "notebooks" / f"{book.stem}-{pictures}.html"
        picture.parent.mkdir(exist_ok=True)
        picture.write_text(html.unescape(match[1]), encoding="utf-8")
        return f'loading="lazy" src="notebooks/{picture.name}"'

    for cell, source, printed, shown, text in cells(book):
        if cell["cell_type"] != "code":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        if printed or text:
            parts.append(f"```text\n{(printed + text).rstrip()}\n```")
        if shown:
            parts.append("<div>" + re.sub(r'srcdoc="([^"]*)"', framed, shown) + "</div>")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    to = pathlib.Path(sys.argv[1])
    for each in books():
        (to / f"notebook-{each.stem}.md").write_text(page(each, to), encoding="utf-8")
