// SPDX-License-Identifier: Apache-2.0
// Questions that tests ask of a page, in the page. Each gives plain values back.

// Of each figure: how much is drawn (points of a chart, shapes of an SVG, pixels of a canvas), and what is read out instead of it.
function figures() {
  return [...document.querySelectorAll('figure')].map((figure) => {
    const host = figure.querySelector('.host');
    const pictures = [...host.querySelectorAll('svg, canvas')].filter((one) => !one.closest('button'));
    return {
      name: figure.id,
      kind: figure.className.replace('kind-', ''),
      caption: figure.querySelector('figcaption').textContent.trim(),
      pictures: pictures.map((one) => ({
        role: one.getAttribute('role'),
        label: one.getAttribute('aria-label') || '',
        points: pointsOf(one),
        shapes: one.querySelectorAll('path, rect, circle, line').length,
        pixels: one.tagName === 'CANVAS' ? pixelsOf(one) : 0,
      })),
    };
  });
}

function pointsOf(canvas) {
  const chart = canvas.tagName === 'CANVAS' && typeof Chart !== 'undefined' && Chart.getChart(canvas);
  return chart ? chart.data.datasets.reduce((sum, set) => sum + set.data.filter((at) => at !== null).length, 0) : 0;
}

// Those that differ from the first one.
function pixelsOf(canvas) {
  const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  let count = 0;
  for (const pixel of pixels) count += pixel === pixels[0] ? 0 : 1;
  return count;
}

// A number that changes when the pixels of a canvas do (FNV-1a).
function printOf(canvas) {
  const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  let hash = 2166136261;
  for (const pixel of pixels) hash = Math.imul(hash ^ pixel, 16777619) >>> 0;
  return hash;
}

// Contrast (WCAG 2.1, 1.4.3) of every text that is shown against what lies behind it: [ratio, text, colours] of each below `least`.
function faint(least) {
  const rgba = (css) => {
    const [r, g, b, a] = css.match(/[\d.]+/g).map(Number);
    return [r, g, b, a === undefined ? 1 : a];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = new Map();
  const backgroundOf = (element) => {
    if (!element) return [255, 255, 255, 1];
    if (!behind.has(element)) {
      const own = rgba(getComputedStyle(element).backgroundColor);
      behind.set(element, own[3] === 1 ? own : over(own, backgroundOf(element.parentElement)));
    }
    return behind.get(element);
  };
  const found = new Map(), seen = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest('script, style, noscript') || !element.checkVisibility()) continue;
    ++count;
    const style = getComputedStyle(element), ground = backgroundOf(element);
    const colour = rgba(element instanceof SVGElement ? style.fill : style.color);
    let opacity = 1;
    for (let up = element; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
    const key = [colour, ground, opacity].join();
    if (seen.has(key)) continue;
    seen.add(key);
    const a = luminance(over([...colour.slice(0, 3), colour[3] * opacity], ground)), b = luminance(ground);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least) found.set(key, [ratio, node.data.trim().slice(0, 40), key]);
  }
  return {count, faint: [...found.values()]};
}

// What is read out of each control; those without a word are a dead end for whoever cannot see them.
function nameless() {
  return [...document.querySelectorAll('button, input, select, [tabindex="0"], summary')].filter((control) => {
    const label = control.closest('label');
    return !(control.getAttribute('aria-label') || control.textContent || (label && label.textContent)).trim();
  }).map((control) => control.outerHTML.slice(0, 120));
}

// How far the page is wider than the window.
function overhang() {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

// The column of a table from top to bottom: what it is sorted by.
function column(table, index) {
  return [...table.tBodies[0].rows].map(({cells}) => (cells[index].dataset.value === undefined ? cells[index].textContent : Number(cells[index].dataset.value)));
}

// The first column whose cells are all numbers and not all the same.
function numbers(table) {
  return [...table.tHead.rows[0].cells].findIndex((_, i) => {
    const cells = column(table, i);
    return cells.every((cell) => typeof cell === 'number') && new Set(cells).size > 1;
  });
}
