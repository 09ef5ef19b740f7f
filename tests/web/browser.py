# SPDX-License-Identifier: Apache-2.0
"""Chromium without a screen, and what tests ask of a page.

    open      a page from disk, drawn to the end; `drawn_ms` is from the start of the navigation to the end of the drawing
    severe    what the console complained about since it was last asked: failed scripts, forbidden ones, missing files
    ask       a function of checks.js, by name
"""
import base64
import os
import pathlib
import shutil

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

WIDTH, HEIGHT = 1280, 900
PATIENCE_S = 60  # until a page that does not draw is given up
TALLEST = 16000  # pixels of a screenshot

CHECKS = (pathlib.Path(__file__).parent / "checks.js").read_text()

# Runs before the page: notes when it was drawn, and alerts instead of showing them.
WATCH = """
window.alerts = [];
window.alert = (text) => window.alerts.push(String(text));
new MutationObserver(() => {
  if (document.documentElement.dataset.drawn === 'all' && window.drawnAt === undefined) window.drawnAt = performance.now();
}).observe(document, {attributes: true, subtree: true, attributeFilter: ['data-drawn']});
"""


def missing():
    """What has to be installed before a browser can start."""
    return [name for name in ("chromium", "chromedriver") if not shutil.which(name)]


class Browser:
    def __init__(self, downloads):
        self.downloads = pathlib.Path(downloads)
        self.downloads.mkdir(parents=True, exist_ok=True)
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--force-device-scale-factor=1", f"--window-size={WIDTH},{HEIGHT}"):
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"download.default_directory": str(self.downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver"), log_path=os.devnull), options=options)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})

    def open(self, file):
        self.driver.get(pathlib.Path(file).resolve().as_uri())
        WebDriverWait(self.driver, PATIENCE_S, 0.02).until(lambda d: d.execute_script("return window.drawnAt !== undefined"))
        self.drawn_ms = self.driver.execute_script("return window.drawnAt")
        return self

    def severe(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def ask(self, function, *arguments):
        return self.driver.execute_script(CHECKS + f"\nreturn {function}(...arguments);", *arguments)

    def settle(self):
        """Two frames: what waited for the next one is painted."""
        self.driver.execute_async_script("const end = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => end()));")

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def show_theme(self, theme):
        """By the button that readers have."""
        if self.one("#theme").text == theme:
            self.one("#theme").click()
        self.settle()

    def downloaded(self, name):
        path = self.downloads / name
        WebDriverWait(self.driver, PATIENCE_S, 0.05).until(lambda _: path.exists() and path.stat().st_size > 0)
        return path.read_bytes().decode()

    def screenshot(self, path):
        size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": min(TALLEST, size["height"]), "scale": 1}
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True, "clip": clip})
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]))

    def quit(self):
        self.driver.quit()
