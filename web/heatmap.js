// SPDX-License-Identifier: Apache-2.0
// A number over two axes of names: the least brightest, cells without one empty.
//
//     wavelengths     4        16       64            ▓ the colour of a cell is its number's, on a logarithmic scale where all are above zero
//     ring         ░ 7.2 ms ▒ 3.1 ms ▓ 1.1 ms         pointed at, or by the arrow keys: both names and the number
//     wrht         ░ 9.1 ms ░ 8.0 ms ▒ 4.4 ms
//
// Data (src/report/figures/heat_map.h):
//     x, y     {label, names}
//     value    what the numbers are
//     cells    [[number or null, …], …]     a row for each name of y
//     texts    [[text, …], …]               the numbers as people read them
'use strict';

(() => {
  const P = helio.picture;

  helio.register('heatmap', (host, data, page) => {
    const {x, y, cells, texts} = data, row = 26, head = 40;
    const numbers = cells.flat().filter((value) => value !== null);
    const low = Math.min(...numbers), high = Math.max(...numbers), log = low > 0;
    const place = (value) => (high === low ? 1 : log ? Math.log(high / value) / Math.log(high / low) : (high - value) / (high - low));
    const say = (i) => {
      const r = Math.floor(i / x.names.length), c = i % x.names.length;
      return `${y.label} ${y.names[r]}\n${x.label} ${x.names[c]}\n${data.value} ${texts[r][c] || 'none'}`;
    };
    let chosen = -1, left = 0, cell = 0;

    const view = P.canvas(host, page, head + y.names.length * row + 4, (context, width, height, colours) => {
      context.font = '12px system-ui, sans-serif';
      context.textBaseline = 'middle';
      left = Math.min(width * 0.35, 12 + Math.max(context.measureText(y.label).width, ...y.names.map((name) => context.measureText(name).width)));
      cell = Math.min(140, (width - left - 4) / x.names.length);
      context.fillStyle = colours.quiet;
      context.textAlign = 'left';
      context.fillText(P.fitted(context, y.label, left - 8), 0, 28);
      context.fillText(x.label, left, 10);
      context.fillStyle = colours.ink;
      x.names.forEach((name, c) => context.fillText(P.fitted(context, name, cell - 4), left + c * cell + 3, 28));
      y.names.forEach((name, r) => {
        const top = head + r * row;
        context.fillStyle = colours.ink;
        context.fillText(P.fitted(context, name, left - 8), 0, top + row / 2);
        x.names.forEach((_, c) => {
          const value = cells[r][c], at = left + c * cell;
          const colour = value === null ? colours.paper : P.viridis(place(value));
          context.fillStyle = colour;
          context.fillRect(at, top, cell - 1, row - 1);
          if (value !== null && context.measureText(texts[r][c]).width < cell - 6) {
            context.fillStyle = P.onTop(colour);
            context.fillText(texts[r][c], at + 4, top + row / 2);
          }
          if (chosen === r * x.names.length + c) {
            context.strokeStyle = colours.ink;
            context.lineWidth = 2;
            context.strokeRect(at + 1, top + 1, cell - 3, row - 3);
          }
        });
      });
    });
    view.element.setAttribute('role', 'img');
    view.element.setAttribute('aria-label', `${page.figure.title}. ${page.figure.words}`);
    const choose = (i) => {
      chosen = i;
      view.again();
      return i < 0 ? null : say(i);
    };
    P.pointed(page, view.element, (px, py) => {
      const c = Math.floor((px - left) / cell), r = Math.floor((py - head) / row);
      return choose(c >= 0 && c < x.names.length && r >= 0 && r < y.names.length ? r * x.names.length + c : -1);
    });
    P.walked(view.element, page, () => x.names.length * y.names.length, () => chosen, choose);
  });
})();
