// SPDX-License-Identifier: Apache-2.0
// The page itself: theme, tables that sort, figures that are drawn, files that are handed out.
//
// A module draws one kind of figure (src/report/figures/figure.h) and says so once:
//
//     helio.register('timeline', function draw(host, data, page) { … });
//
// For each figure the page already holds (a <figure> of kind K has the class kind-K)
//
//     <figure id=NAME> <h3>title</h3> <div class="host"></div> <figcaption>words</figcaption> links, "data as table" </figure>
//
// and calls draw(host, data, page) once: `host` is that empty <div> (as wide as the figure, no height of its own), `data` is
// Figure::data. Afterwards every <svg> and <canvas> in the host that has no role gets role="img" and the figure's words as its
// aria-label; the host's own controls stay reachable by keyboard. What `page` offers:
//
//     page.colours()               of the theme as it is now, CSS colours: {series: [8 of them], ink, paper, line, quiet, good, bad, accent}
//     page.onTheme(callback)       called without arguments after the theme has changed: draw again with page.colours()
//     page.tip(x, y, text)         a box beside the pointer, x and y as in event.clientX and clientY; text only, '\n' breaks the line
//     page.hideTip()
//     page.button(host, label, onclick)   appends a <button> to `host` and returns it
//     page.figure                  {name, kind, title, words}
//     page.save(name, type, text)  hands a file to the reader; text or a Blob
//
// Rules for modules: text goes into the page as text (textContent, createTextNode), never as markup; no network; no inline event
// handlers, no eval (the page's Content-Security-Policy forbids both); the same data always gives the same picture. A module that
// throws leaves its message in the host and an error on the console. Figures are drawn one after the other once the page stands,
// those in sight first; then <html data-drawn="all">.
'use strict';

const helio = (() => {
  const root = document.documentElement;
  const modules = new Map();
  const watchers = [];

  function made(tag, parent, text, attributes) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    if (parent) parent.append(element);
    return element;
  }

  // Theme: as the system has it until the reader says otherwise. Paper is light.

  const system = window.matchMedia('(prefers-color-scheme: dark)');

  function isDark() {
    return root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
  }

  function colours() {
    const style = getComputedStyle(root);
    const one = (name) => style.getPropertyValue('--' + name).trim();
    return {
      series: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => one('series' + i)),
      ink: one('ink'), paper: one('paper'), line: one('line'), quiet: one('quiet'),
      good: one('good'), bad: one('bad'), accent: one('accent'),
    };
  }

  function themeChanged() {
    const button = document.getElementById('theme');
    if (button) button.textContent = isDark() ? 'light' : 'dark';
    for (const callback of watchers) callback();
  }

  function remembered(theme) {
    try {
      if (theme) localStorage.setItem('helio-theme', theme);
      return localStorage.getItem('helio-theme');
    } catch (error) {  // a page from disk may have no storage
      return theme;
    }
  }

  function setUpTheme() {
    const earlier = remembered();
    if (earlier === 'dark' || earlier === 'light') root.dataset.theme = earlier;
    system.addEventListener('change', themeChanged);
    const button = made('button', document.querySelector('header .tools'), '', {id: 'theme', type: 'button', 'aria-label': 'change between light and dark'});
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      remembered(root.dataset.theme);
      themeChanged();
    });
    themeChanged();
    let before;
    window.addEventListener('beforeprint', () => {
      drawAll();
      before = root.dataset.theme;
      root.dataset.theme = 'light';
      themeChanged();
    });
    window.addEventListener('afterprint', () => {
      if (before) root.dataset.theme = before;
      else delete root.dataset.theme;
      themeChanged();
    });
  }

  // The box beside the pointer

  let box;

  function tip(x, y, text) {
    box = box || made('div', document.body, '', {id: 'tip', role: 'status'});
    box.textContent = text;
    box.hidden = false;
    const room = 14;
    const left = x + room + box.offsetWidth > root.clientWidth ? x - room - box.offsetWidth : x + room;
    const top = y + room + box.offsetHeight > root.clientHeight ? y - room - box.offsetHeight : y + room;
    box.style.left = Math.max(0, left) + 'px';
    box.style.top = Math.max(0, top) + 'px';
  }

  function hideTip() {
    if (box) box.hidden = true;
  }

  function button(host, label, onclick) {
    const element = made('button', host, label, {type: 'button'});
    element.addEventListener('click', onclick);
    return element;
  }

  function save(name, type, text) {
    const link = made('a', document.body, '', {download: name});
    link.href = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], {type}));
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  const longTable = 20;

  // Tables: a click on a column's head sorts by it, another one turns the order round

  function sortKey(row, column) {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  }

  function before(a, b) {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'number') return -1;
    if (typeof b === 'number') return 1;
    return a.localeCompare(b, 'en', {numeric: true});
  }

  function sortBy(table, column) {
    const heads = table.tHead.rows[0].cells;
    const direction = heads[column].getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
    for (const head of heads) head.removeAttribute('aria-sort');
    heads[column].setAttribute('aria-sort', direction);
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({row, key: sortKey(row, column)}));
    const sign = direction === 'ascending' ? 1 : -1;
    rows.sort((a, b) => sign * before(a.key, b.key));
    body.append(...rows.map((entry) => entry.row));
  }

  // A field above long tables: only rows that have its words are shown.
  function setUpFilter(table) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length < longTable) return;
    const wide = table.closest('.wide');
    const field = made('input', null, undefined, {type: 'search', placeholder: 'filter rows', 'aria-label': `filter the rows of ${table.caption.textContent}`});
    const count = made('span', null, '', {class: 'count', role: 'status'});
    wide.before(field, ' ', count);
    field.addEventListener('input', () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = words.length ? `${shown} of ${rows.length} rows` : '';
    });
  }

  function setUpTable(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const label = head.textContent;
      head.textContent = '';
      button(head, label, () => sortBy(table, column));
    });
  }

  // Comma-separated values as rows of fields (RFC 4180)

  function fields(csv) {
    const rows = [];
    let row = [], field = '', quoted = false;
    for (let i = 0; i < csv.length; ++i) {
      const c = csv[i];
      if (quoted) {
        if (c !== '"') field += c;
        else if (csv[i + 1] === '"') field += csv[++i];
        else quoted = false;
      } else if (c === '"') quoted = true;
      else if (c === ',' || c === '\n') {
        row.push(field);
        field = '';
        if (c === '\n') {
          rows.push(row);
          row = [];
        }
      } else if (c !== '\r') field += c;
    }
    if (field !== '' || row.length) rows.push([...row, field]);
    return rows;
  }

  const mostRows = 500;  // of a figure's data that are shown as a table

  function tableOf(csv, caption) {
    const [heads, ...rows] = fields(csv);
    const wide = made('div', null, undefined, {class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption});
    const table = made('table', wide);
    const line = made('tr', made('thead', table));
    for (const head of heads) made('th', line, head, {scope: 'col'});
    const body = made('tbody', table);
    for (const row of rows.slice(0, mostRows)) {
      const tr = made('tr', body);
      for (const field of row) {
        const isNumber = field !== '' && isFinite(Number(field));
        const cell = made('td', tr, isNumber ? String(Number(Number(field).toPrecision(6))) : field);
        if (isNumber) {
          cell.className = 'number';
          cell.dataset.value = field;
        }
      }
    }
    setUpTable(table);
    if (rows.length > mostRows) made('p', wide, `the first ${mostRows} of ${rows.length} lines; all are in the file`);
    return wide;
  }

  // Figures

  function readable(host, words) {
    for (const picture of host.querySelectorAll('svg, canvas')) {
      if (picture.hasAttribute('role') || picture.closest('button')) continue;
      picture.setAttribute('role', 'img');
      if (!picture.hasAttribute('aria-label')) picture.setAttribute('aria-label', words);
    }
  }

  function draw(figure) {
    if (figure.drawn) return;
    figure.drawn = true;
    const host = document.querySelector(`#${CSS.escape(figure.name)} > .host`);
    const {name, kind, title, words} = figure;
    const page = {colours, onTheme: (callback) => watchers.push(callback), tip, hideTip, button, save, figure: {name, kind, title, words}};
    try {
      if (!modules.has(kind)) throw new Error(`no module draws '${kind}'`);
      modules.get(kind)(host, figure.data, page);
      readable(host, `${title}. ${words}`);
    } catch (error) {
      made('p', host, `This picture could not be drawn: ${error.message}`, {class: 'bad'});
      console.error(error);
    }
  }

  function setUpFigure(figure) {
    const files = document.querySelector(`#${CSS.escape(figure.name)} > .files`);
    if (figure.csv) {
      files.textContent = '';  // the page has what the link leads to
      button(files, 'CSV', () => save(figure.name + '.csv', 'text/csv', figure.csv)).setAttribute('aria-label', `download the data of ${figure.title} as CSV`);
      const details = made('details', files.parentElement);
      made('summary', details, 'data as table');
      details.addEventListener('toggle', () => {
        if (details.children.length === 1) details.append(tableOf(figure.csv, figure.title));
      });
    }
    button(files, 'JSON', () => save(figure.name + '.json', 'application/json', JSON.stringify(figure.data, null, 1))).setAttribute('aria-label', `download the data of ${figure.title} as JSON`);
  }

  let figures = [];

  function drawAll() {
    figures.forEach(draw);
    root.dataset.drawn = 'all';
  }

  // One at a time, so that the page answers in between; what is in sight comes first.
  function drawNext() {
    const inSight = (figure) => {
      const place = document.getElementById(figure.name).getBoundingClientRect();
      return place.top < root.clientHeight && place.bottom > 0;
    };
    const open = figures.filter((figure) => !figure.drawn);
    if (open.length === 0) {
      root.dataset.drawn = 'all';
      return;
    }
    draw(open.find(inSight) || open[0]);
    setTimeout(drawNext, 0);
  }

  function start() {
    figures = JSON.parse(document.getElementById('page-data').textContent).figures;
    setUpTheme();
    for (const table of document.querySelectorAll('table.sortable')) {
      setUpFilter(table);
      setUpTable(table);
    }
    for (const element of document.querySelectorAll('button.copy')) {
      element.addEventListener('click', () => {
        const text = document.getElementById(element.dataset.of).textContent;
        navigator.clipboard.writeText(text).then(() => { element.textContent = 'copied'; }, () => { element.textContent = 'cannot copy here'; });
      });
    }
    figures.forEach(setUpFigure);
    drawNext();
  }

  document.addEventListener('DOMContentLoaded', start);
  return {register: (kind, module) => modules.set(kind, module)};
})();
