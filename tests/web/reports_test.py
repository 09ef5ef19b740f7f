#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports in a real browser: every page is opened from disk in Chromium, looked at in both themes, and used.

    reports_test.py --helio PROGRAM --source REPOSITORY --screenshots DIR [unittest's own arguments]

Screenshots of every page, a PDF, and `measured.json` (milliseconds until pages are drawn, of a frame of a timeline; bytes) are
left in DIR. Times are stored and printed, never asserted. Ends with 77 where chromium, chromedriver or selenium is missing.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import unittest

SKIPPED = 77
try:
    import browser
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    absent = browser.missing()
except ImportError:
    absent = ["python3-selenium"]
if absent:
    print(f"skipped: {' and '.join(absent)} not installed (scripts/setup installs what is missing)")
    sys.exit(SKIPPED)

from made_reports import HOSTILE, Reports  # noqa: E402

FAST = ["first", "jobs", "fred", "wrht", "switch", "levels", "slices", "mesh", "network", "measured", "swept", "hostile", "hostile-slices"]
CONTRAST = 4.5             # WCAG 2.1, level AA
MOST_BYTES = 5_000_000     # of the report of `reproduce all`
LOADS = 3                  # of each page that is timed; the median is kept
MOST_TABS = 400            # until a control counts as out of reach
SPANS = 100_000            # of the timeline that is timed

options = reports = page = None
measured = {"drawn_ms": {}, "bytes": {}}


def setUpModule():
    global reports, page
    folder = tempfile.TemporaryDirectory(prefix="helio-reports-")
    unittest.addModuleCleanup(folder.cleanup)
    reports = Reports(options.helio, options.source, folder.name)
    unittest.addModuleCleanup(reports.stop)
    page = browser.Browser(pathlib.Path(folder.name) / "downloads")
    unittest.addModuleCleanup(page.quit)
    options.screenshots.mkdir(parents=True, exist_ok=True)


def tearDownModule():
    text = json.dumps(measured, indent=1, sort_keys=True)
    (options.screenshots / "measured.json").write_text(text + "\n")
    print(text)


def open_report(name):
    return page.open(reports.folder / name / "index.html")


class Test1Using(unittest.TestCase):
    """What readers do. Each test opens a page of its own."""

    def tearDown(self):
        self.assertEqual(page.severe(), [])

    def test_slider_changes_what_is_shown(self):
        for report, kind in (("wrht", "wavelengths"), ("wrht", "ring"), ("slices", "slices")):
            with self.subTest(report=report, kind=kind):
                open_report(report)
                figure = page.one(f"figure.kind-{kind}")
                slider = figure.find_element("css selector", "input[type=range]")
                canvas = figure.find_element("css selector", "canvas")
                slider.send_keys(Keys.HOME)
                page.settle()
                before, said = page.ask("printOf", canvas), slider.get_attribute("aria-valuetext")
                slider.send_keys(Keys.ARROW_RIGHT)
                page.settle()
                self.assertNotEqual(page.ask("printOf", canvas), before)
                self.assertNotEqual(slider.get_attribute("aria-valuetext"), said)
                figure.find_element("css selector", "button[aria-label^=previous]").click()
                page.settle()
                self.assertEqual(page.ask("printOf", canvas), before)  # and back again: the same picture

    def test_wavelength_map_names_lightpaths(self):
        open_report("wrht")
        canvas = page.one("figure.kind-wavelengths canvas")
        page.run("arguments[0].focus()", canvas)
        canvas.send_keys(Keys.ARROW_RIGHT)
        said = page.one("figure.kind-wavelengths .said").text
        self.assertRegex(said, r"\d+ → \d+")
        # Pointing says the same as the keyboard: a row of the map is swept until something is hit.
        page.run("arguments[0].scrollIntoView({block: 'center'})", canvas)
        width, height, hits = canvas.size["width"], canvas.size["height"], 0
        for part in range(1, 12):
            ActionChains(page.driver, 0).move_to_element_with_offset(canvas, int(width * (part / 12 - 0.5)), int(-height * 0.3)).perform()
            tip = page.all("#tip")
            hits += bool(tip) and tip[0].is_displayed() and "→" in tip[0].text
        self.assertGreater(hits, 0)

    def test_timeline_zooms_and_pans(self):
        open_report("jobs")
        figure = page.one("figure.kind-timeline")
        canvas = figure.find_element("css selector", "canvas")
        page.run("arguments[0].scrollIntoView({block: 'center'})", canvas)
        seen = lambda: page.run("const t = document.querySelector('figure.kind-timeline .host').timeline; return [t.from, t.to, t.whole]")
        wheel = lambda by: page.run(
            "const box = arguments[0].getBoundingClientRect();"
            "arguments[0].dispatchEvent(new WheelEvent('wheel', {deltaY: arguments[1], clientX: box.left + 0.7 * box.width, clientY: box.top + 80, bubbles: true, cancelable: true}))",
            canvas, by)
        start, whole = seen(), page.ask("printOf", canvas)
        self.assertEqual(start[:2], [0, start[2]])

        # Wheel and button zoom in
        wheel(-300)
        near = seen()
        self.assertLess(near[1] - near[0], start[2])
        figure.find_element("css selector", "button[aria-label='zoom in']").click()
        self.assertAlmostEqual(seen()[1] - seen()[0], (near[1] - near[0]) / 2)
        page.settle()
        self.assertNotEqual(page.ask("printOf", canvas), whole)

        # A drag to the left goes on in time by as much as it is long; keys pan too
        before = seen()
        ActionChains(page.driver, 50).move_to_element(canvas).click_and_hold().move_by_offset(-100, 0).release().perform()
        after = seen()
        self.assertGreater(after[0], before[0])
        self.assertAlmostEqual(after[1] - after[0], before[1] - before[0])
        canvas.send_keys(Keys.ARROW_LEFT)
        self.assertLess(seen()[0], after[0])

        # And all of it again
        canvas.send_keys("0")
        self.assertEqual(seen(), start)

    def test_mesh_is_coloured_by_what_is_chosen(self):
        open_report("mesh")
        figure = page.one("figure.kind-mesh")
        canvas, select = figure.find_element("css selector", "canvas"), figure.find_element("css selector", "select")
        before = page.ask("printOf", canvas)
        select.send_keys(Keys.ARROW_DOWN)
        page.settle()
        self.assertNotEqual(page.ask("printOf", canvas), before)

    def test_tables_sort_both_ways(self):
        open_report("first")
        tables = [table for table in page.all("table.sortable") if page.ask("numbers", table) >= 0 and len(page.ask("column", table, 0)) > 2]
        self.assertTrue(tables)
        table = tables[0]
        for index in (page.ask("numbers", table), 0):
            unsorted = page.ask("column", table, index)
            head = table.find_elements("css selector", "thead th")[index]
            head.find_element("css selector", "button").click()
            rising = page.ask("column", table, index)
            self.assertEqual(head.get_attribute("aria-sort"), "ascending")
            head.find_element("css selector", "button").click()
            falling = page.ask("column", table, index)
            self.assertEqual(head.get_attribute("aria-sort"), "descending")
            self.assertEqual(falling, rising[::-1] if len(set(rising)) == len(rising) else falling)
            self.assertCountEqual(rising, unsorted)
            if isinstance(rising[0], (int, float)):
                self.assertEqual(rising, sorted(unsorted))
                self.assertEqual(falling, sorted(unsorted, reverse=True))

    def test_downloads_are_what_lies_behind(self):
        open_report("wrht")
        saved = json.loads((reports.folder / "wrht" / "page.json").read_text())
        figure = next(f for s in saved["sections"] for f in s["figures"] if f["kind"] == "wavelengths")
        for element in page.all(f"#{figure['name']} .files button"):
            element.click()
        self.assertEqual(page.downloaded(figure["name"] + ".csv"), (reports.folder / "wrht" / (figure["name"] + ".csv")).read_text())
        self.assertEqual(json.loads(page.downloaded(figure["name"] + ".json")), figure["data"])

    def test_theme_changes_and_comes_back(self):
        open_report("wrht")
        page.show_theme("light")
        ground = lambda: page.run("return getComputedStyle(document.body).backgroundColor")
        canvas = page.one("figure.kind-timeline canvas")
        light, painted = ground(), page.ask("printOf", canvas)
        page.show_theme("dark")
        self.assertNotEqual(ground(), light)
        self.assertNotEqual(page.ask("printOf", canvas), painted)
        page.pdf(options.screenshots / "wrht.pdf")  # paper is light, the screen stays as it was
        self.assertNotEqual(ground(), light)
        page.show_theme("light")
        self.assertEqual(ground(), light)
        self.assertEqual(page.ask("printOf", canvas), painted)

    def test_everything_is_reached_by_keyboard(self):
        everywhere = {".skip", "#theme", ".kind-timeline canvas", ".files button", "summary", "button.copy"}
        for report, wanted in (("wrht", everywhere | {"input[type=range]"}), ("first", everywhere | {"th button"})):
            with self.subTest(report=report):
                open_report(report)
                page.run("window.reached = []; document.addEventListener('focusin', (event) => window.reached.push(event.target));")
                for _ in range(MOST_TABS):
                    ActionChains(page.driver, 0).send_keys(Keys.TAB).perform()
                    wanted = {one for one in wanted if not page.run("return window.reached.some((at) => at.matches(arguments[0]))", one)}
                    if not wanted:
                        break
                self.assertEqual(wanted, set())
        # Once there, Enter does what a click does.
        head = page.one("th button")
        head.send_keys(Keys.ENTER)
        self.assertEqual(page.run("return arguments[0].closest('th').getAttribute('aria-sort')", head), "ascending")

    def test_hostile_names_are_text(self):
        for report in ("hostile", "hostile-slices"):
            with self.subTest(report=report):
                open_report(report)
                self.assertEqual(page.run("return window.alerts"), [])
                self.assertEqual(page.all("main img, main script, main [onerror]"), [])
                self.assertIn(HOSTILE, page.run("return document.querySelector('main').textContent"))
        # Also in what scripts make: the words of a slider, the box beside the pointer, the data as a table.
        self.assertIn(HOSTILE, page.one(".controls output").text)
        canvas = page.one("figure.kind-slices canvas")
        page.run("arguments[0].scrollIntoView({block: 'center'})", canvas)
        on_the_first_job = 12 - canvas.size["height"] // 2
        ActionChains(page.driver, 0).move_to_element_with_offset(canvas, 0, on_the_first_job).perform()
        self.assertIn(HOSTILE, page.one("#tip").text)
        open_report("hostile")
        for details in page.all("figure details"):
            page.run("arguments[0].open = true", details)
        page.settle()
        self.assertTrue(page.run("return [...document.querySelectorAll('figure td')].some((cell) => cell.textContent === arguments[0])", HOSTILE))
        self.assertEqual(page.run("return window.alerts"), [])
        self.assertEqual(page.all("img, main script"), [])


class Test2Pages(unittest.TestCase):
    """Every page, in both themes."""

    def look(self, name, file):
        page.open(file)
        figures = page.ask("figures")
        for figure in figures:
            with self.subTest(page=name, figure=figure["name"]):
                self.assertTrue(figure["caption"])
                self.assertTrue(figure["pictures"])
                for picture in figure["pictures"]:
                    self.assertIn(picture["role"], ("img", "application"))
                    self.assertGreater(len(picture["label"].split()), 3)
                    is_chart = figure["kind"] in ("bars", "sweep", "stacked", "curves", "scatter")
                    self.assertGreater(picture["points"] if is_chart else picture["shapes"] or picture["pixels"], 0 if is_chart else 10)
                    if not picture["shapes"]:
                        self.assertGreater(picture["pixels"], 300)
        with self.subTest(page=name):
            self.assertEqual(page.ask("nameless"), [])
            self.assertEqual(page.ask("overhang"), 0)
        page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for theme in ("light", "dark"):
            page.show_theme(theme)
            with self.subTest(page=name, theme=theme):
                texts = page.ask("faint", CONTRAST)
                self.assertGreater(texts["count"], 20)
                self.assertEqual(texts["faint"], [])
        page.run("document.querySelectorAll('details').forEach((one) => { one.open = false; })")
        for theme in ("dark", "light"):
            page.show_theme(theme)
            page.screenshot(options.screenshots / f"{name}-{theme}.png")
        with self.subTest(page=name):
            self.assertEqual(page.severe(), [])
        return figures

    def test_1_single_reports(self):
        kinds = set()
        for report in FAST:
            for name, file in reports.pages(report):
                kinds |= {figure["kind"] for figure in self.look(name, file)}
        self.assertLessEqual({"timeline", "wavelengths", "ring", "fred", "levels", "mesh", "slices", "stacked", "scatter", "heatmap"}, kinds)

    def test_2_all_studies(self):
        reports.wait()
        files = list((reports.folder / "all").iterdir())
        measured["bytes"]["all"] = sum(file.stat().st_size for file in files)
        self.assertLessEqual(measured["bytes"]["all"], MOST_BYTES)
        pages = reports.pages("all")
        self.assertGreaterEqual(len(pages), 5)  # the front page and the four designs
        for name, file in pages:
            self.look(name, file)
            loads = [page.open(file).drawn_ms for _ in range(LOADS)]
            measured["drawn_ms"][name] = round(statistics.median(loads))

    def test_3_a_long_timeline_is_timed(self):  # last, when nothing else of ours runs
        open_report("jobs")
        found = [page.run("return helio.timeline.benchmark(document.querySelector('main').appendChild(document.createElement('div')), arguments[0])", SPANS)
                 for _ in range(LOADS)]
        measured["timeline"] = sorted(found, key=lambda one: one["mean_ms"])[LOADS // 2]
        self.assertEqual(measured["timeline"]["spans"], SPANS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, kind in (("--helio", str), ("--source", pathlib.Path), ("--screenshots", pathlib.Path)):
        parser.add_argument(name, required=True, type=kind)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
