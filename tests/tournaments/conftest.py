"""Hypothesis without a deadline: the first call of a kernel compiles it. A browser for the tests of pages."""

import shutil

import pytest
from hypothesis import settings

settings.register_profile("compiles", deadline=None)
settings.load_profile("compiles")


@pytest.fixture(scope="module")
def browser():
    """Chromium as Playwright drives it; tests that ask for it are skipped where one of them is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on the path")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        browser.close()
