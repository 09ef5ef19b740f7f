// SPDX-License-Identifier: Apache-2.0
// A composite from the side: instances inside instances, what joins them, who reaches upstairs; beside each level what it carries and how
// full its links are.
//
//     ┌─────────────────────────────┐   between: wdm-ring joins 64 x wafer
//     │ ═══╤══════════╤══════════╤══ │   busiest ▓▓▓▓▓▓▓▓░░░░ 67 %, mean ▓▓▓░ 20 %
//     │ ┌──┴──┐    ┌──┴──┐    ┌──┴─┐ │   dp ██████████ 39.8 TB
//     │ │▣ ▢ ▢│    │▣ ▢ ▢│ …  │▣ ▢ │ │
//     │ └─────┘    └─────┘    └────┘ │   ▣ a gateway; the line of a level is the redder, the busier its busiest link is
//     └─────────────────────────────┘
//
// Data (src/report/figures/levels_figure.h), the lowest level first:
//     levels   [{name, fabric, instances, units, unit, gateways, gateway_rate, injection, slow, mean, most, busiest, carried}, …]
//       units         that one instance joins; nodes at the lowest level       unit        nodes of the composite in one of them
//       gateways      numbers in a unit of the nodes that reach this level; null: all of them
//       gateway_rate, injection   texts; "" where there is none                slow        [[instance, factor], …]
//       mean, most    share of the time that links are busy                    busiest     the name of such a link
//       carried       [[class of traffic, bytes over links], …]
'use strict';

(() => {
  const P = helio.picture;
  const wide = 1000, side = 400, band = 44, cell = 13, inset = 10;
  const fits = (text, width) => text.length * 6.2 <= width;
  const percent = (share) => `${Number((100 * share).toPrecision(3))} %`;

  helio.register('levels', (host, data, page) => {
    const levels = data.levels, top = levels.length - 1;
    const classes = [...new Set(levels.flatMap(({carried}) => carried.map(([name]) => name)))];
    const shown = [0, 6, 3, 2][Math.min(top, 3)] || 2;  // instances beside each other inside one of the next level
    const scroller = P.html(host, 'div', null, {class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'the composite, wider than the page on small screens'});
    scroller.style.overflowX = 'auto';
    const legend = P.legend(host);
    P.html(host, 'p', 'Filled squares are gateways. A level\u2019s line is the redder, the busier its busiest link is.').style.margin = '0.2rem 0';
    let svg, marks = [];

    const joins = (level, k) => `${level.instances > 1 ? `${level.instances.toLocaleString('en-US')} x ` : ''}${level.fabric}, ${level.instances > 1 ? 'each ' : ''}joins ${P.count(level.units, k > 0 ? levels[k - 1].name : 'node', k > 0 ? `x ${levels[k - 1].name}` : undefined)}`;
    const doors = (level, k) => (k === 0 ? '' : `${level.gateways ? `${level.gateways.length} of ${level.unit} nodes reach it` : 'every node reaches it'}${level.gateway_rate ? `, ${level.gateway_rate} each` : ''}; ${level.injection} a ${levels[k - 1].name}`);
    const full = (level) => `busiest link ${percent(level.most)} of the time, mean ${percent(level.mean)}`;
    const said = (level, k) => [`${level.name}: ${joins(level, k)}`, doors(level, k), full(level), level.busiest, ...level.carried.map(([name, bytes]) => `${name}: ${P.bytes(bytes)} over links`),
                                level.slow.map(([i, factor]) => `${level.name} ${i} has ${percent(factor)} of the rates`).join('\n')].filter(Boolean).join('\n');

    const called = (level, number, width) => {
      const name = level.instances > 1 ? `${level.name} ${number}` : level.name;
      return fits(name, width) ? name : level.instances > 1 ? String(number) : level.name.slice(0, Math.floor(width / 6.2) - 1) + '…';
    };
    // Which of `count` are drawn side by side, and where some are left out.
    const drawn = (count, most) => (count <= most ? Array.from({length: count}, (_, i) => i) : [...Array.from({length: most - 1}, (_, i) => i), count - 1]);
    const columns = Math.min(levels[0].units, 5), rows = Math.min(4, Math.ceil(levels[0].units / columns));
    const tall = (k) => (k === 0 ? 44 + rows * cell : band + tall(k - 1)) + inset;

    // The instance `number` of level k, and everything inside it.
    function instance(k, number, x, y, width, colours) {
      const level = levels[k], height = tall(k) - inset, line = y + 26;
      const slow = level.slow.find(([i]) => i === number);
      P.svg(svg, 'rect', {x, y, width, height, rx: 6, fill: P.mix(colours.paper, colours.ink, 0.03 * (top - k + 1)), stroke: slow ? colours.bad : colours.line});
      P.svg(svg, 'text', {x: x + 7, y: y + 15, 'font-size': 11, fill: colours.quiet}, called(level, number, width - 12));
      P.svg(svg, 'line', {x1: x + 8, y1: line, x2: x + width - 8, y2: line, stroke: P.mix(colours.line, colours.bad, Math.min(1, level.most)), 'stroke-width': 5, 'stroke-linecap': 'round'});
      marks.push([x, y, width, height, said(level, k)]);
      if (k > 0) {
        const list = drawn(level.units, shown), each = (width - 2 * inset - (list.length - 1) * inset) / list.length;
        list.forEach((unit, i) => {
          const left = x + inset + i * (each + inset), stubs = Math.min(4, level.gateways ? level.gateways.length : 4);
          for (let s = 0; s < stubs; ++s) {
            const at = left + each * (s + 1) / (stubs + 1);
            P.svg(svg, 'line', {x1: at, y1: line, x2: at, y2: y + 44, stroke: colours.quiet, 'stroke-width': 1.5});
          }
          instance(k - 1, number * level.units + unit, left, y + 44, each, colours);
          if (level.units > list.length && i === list.length - 2)
            P.svg(svg, 'text', {x: left + each + inset / 2, y: line - 8, 'text-anchor': 'middle', 'font-size': 13, fill: colours.ink}, `… ${level.units - list.length} more …`);
        });
        return;
      }
      // Nodes, with those that reach a level above filled
      const above = levels[1], gates = above && above.gateways, size = Math.min(cell, (width - 2 * inset) / columns);
      const left = x + (width - size * columns) / 2, count = Math.min(level.units, columns * rows);
      for (let n = 0; n < count; ++n) {
        const gateway = above && (!gates || gates.includes(n));
        P.svg(svg, 'rect', {x: left + (n % columns) * size + 1, y: line + 8 + Math.floor(n / columns) * size, width: size - 3, height: size - 3, fill: gateway ? colours.accent : colours.paper, stroke: colours.quiet});
      }
      if (level.units > count) P.svg(svg, 'text', {x: x + width - 6, y: y + height - 5, 'text-anchor': 'end', 'font-size': 10, fill: colours.quiet}, `+${level.units - count}`);
    }

    // Beside the line of a level: what it is, how full, what it carries.
    function told(level, k, y, colours) {
      const x = wide - side + 16, track = side - 16;
      P.svg(svg, 'text', {x, y: y + 12, 'font-size': 14, 'font-weight': 600, fill: colours.ink}, level.name);
      const more = P.svg(svg, 'text', {x, y: y + 28, 'font-size': 12, fill: colours.quiet}, joins(level, k));
      if (k > 0) P.svg(svg, 'text', {x, y: y + 43, 'font-size': 12, fill: colours.quiet}, doors(level, k));
      more.setAttribute('data-level', k);
      const bar = y + (k > 0 ? 49 : 35);
      P.svg(svg, 'rect', {x, y: bar, width: track, height: 9, fill: P.mix(colours.paper, colours.ink, 0.08)});
      P.svg(svg, 'rect', {x, y: bar, width: track * Math.min(1, level.most), height: 9, fill: P.mix(colours.paper, colours.bad, 0.45)});
      P.svg(svg, 'rect', {x, y: bar, width: track * Math.min(1, level.mean), height: 9, fill: colours.bad});
      P.svg(svg, 'text', {x, y: bar + 22, 'font-size': 12, fill: colours.ink}, full(level));
      const all = level.carried.reduce((sum, [, bytes]) => sum + bytes, 0);
      let left = x;
      for (const [name, bytes] of level.carried) {
        const part = track * bytes / all;
        P.svg(svg, 'rect', {x: left, y: bar + 27, width: part, height: 7, fill: P.shade(colours, classes.indexOf(name))});
        left += part;
      }
    }

    function build() {
      const colours = page.colours(), height = Math.max(tall(top), levels.length * 100) + 4;
      scroller.textContent = '';
      marks = [];
      svg = P.svg(scroller, 'svg', {viewBox: `0 0 ${wide} ${height}`, width: wide, height, role: 'img', 'aria-label': `${page.figure.title}. ${page.figure.words}`});
      Object.assign(svg.style, {width: '100%', minWidth: '640px', height: 'auto', fontFamily: 'system-ui, sans-serif'});
      instance(top, 0, 2, 2, wide - side - 4, colours);
      levels.forEach((level, k) => told(level, k, 4 + (top - k) * Math.max(100, (height - 104) / Math.max(1, top)), colours));
      legend.set(classes.map((name, i) => [P.shade(colours, i), `${name}: ${levels.filter(({carried}) => carried.some(([one]) => one === name)).map((level) => `${P.bytes(level.carried.find(([one]) => one === name)[1])} over ${level.name}`).join(', ')}`]));
    }
    build();
    page.onTheme(build);
    P.pointed(page, scroller, (x, y) => {
      const scale = wide / (svg.clientWidth || svg.getBoundingClientRect().width || wide), at = [(x + scroller.scrollLeft) * scale, y * scale];
      const found = marks.filter(([left, up, width, high]) => at[0] >= left && at[0] <= left + width && at[1] >= up && at[1] <= up + high).pop();
      return found ? found[4] : null;
    });
  });
})();
