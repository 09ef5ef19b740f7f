// SPDX-License-Identifier: Apache-2.0
// The map of a WDM ring: which lightpath holds which wavelength on which segment, step by step.
//
//     clockwise          segment 0 1 2 3 4 5 …            a lightpath holds its wavelengths on every segment that it crosses;
//                  λ0          ▒▒▒ ▓▓▓                    two that share direction, segment and wavelength would conflict
//                  λ1      ░░░░░░░     ▒▒▒▒▒
//     counter-clockwise  …
//
// Data (src/report/figures/lit_ring.h):
//     nodes, wavelengths      segment i joins node i and node i + 1; wavelengths of one direction
//     numbered                false: the fabric counts wavelengths and does not number them; then they are stacked, segment by segment
//     steps                   [{name, rounds, paths, bytes}, …]
//       paths                 six numbers for each lightpath: source, destination, direction (0 clockwise), first wavelength, how many, sub-tree
//       bytes                 that a lightpath carries in a round: one number for all, or a list
//     cut                     steps that are there and not kept
'use strict';

(() => {
  const P = helio.picture;
  const left = 44, head = 22, between = 14, foot = 26;

  // One step as rectangles: direction, first segment, segments, row, rows, and whose they are.
  function laidOut(data, step) {
    const {nodes, numbered} = data, boxes = [], flat = step.paths;
    const used = [new Set(), new Set()], over = [new Uint32Array(nodes), new Uint32Array(nodes)];
    for (let i = 0; i * 6 < flat.length; ++i) {
      const [source, destination, direction, first, width] = flat.slice(6 * i, 6 * i + 5);
      const hops = direction === 0 ? (destination - source + nodes) % nodes : (source - destination + nodes) % nodes;
      const begin = direction === 0 ? source : (source - hops + nodes) % nodes;
      for (let h = 0; h < hops; ++h) {
        const segment = (begin + h) % nodes;
        if (!numbered) boxes.push([direction, segment, 1, over[direction][segment], width, i]);
        over[direction][segment] += width;
      }
      if (!numbered) continue;
      for (let l = first; l < first + width; ++l) used[direction].add(l);
      const here = Math.min(hops, nodes - begin);
      boxes.push([direction, begin, here, first, width, i]);
      if (hops > here) boxes.push([direction, 0, hops - here, first, width, i]);
    }
    const busiest = over.map((list) => list.reduce((a, b) => Math.max(a, b), 0));
    return {boxes, used: numbered ? used.map((set) => set.size) : busiest, busiest, count: flat.length / 6};
  }

  helio.register('wavelengths', (host, data, page) => {
    const {nodes, wavelengths, steps} = data;
    const cell = Math.max(2, Math.min(16, Math.floor(220 / wavelengths)));
    const band = wavelengths * cell;
    const groups = Math.max(...steps.map((step) => step.paths.reduce((most, value, i) => (i % 6 === 5 ? Math.max(most, value + 1) : most), 0)));
    let at = 0, byTree = groups > 1, chosen = -1, now = laidOut(data, steps[0]);

    const saidOf = (i) => {
      const [source, destination, direction, first, width, tree] = steps[at].paths.slice(6 * i, 6 * i + 6);
      const bytes = Array.isArray(steps[at].bytes) ? steps[at].bytes[i] : steps[at].bytes;
      const light = !data.numbered ? P.count(width, 'wavelength') : width === 1 ? `wavelength ${first}` : `wavelengths ${first} to ${first + width - 1}`;
      return `lightpath ${source} → ${destination}, ${direction === 0 ? 'clockwise' : 'counter-clockwise'}\n${light}, ${P.bytes(bytes)}\n` +
             `step ${at + 1}: ${steps[at].name}` + (groups > 1 ? `, sub-tree ${tree + 1}` : '');
    };

    const controls = P.bar(host);
    const step = P.slider(controls, 'step', steps.length,
                          (i) => `${i + 1} of ${steps.length}: ${steps[i].name}` + (steps[i].rounds > 1 ? `, ${steps[i].rounds.toLocaleString('en-US')} rounds` : ''),
                          (i) => {
                            at = i;
                            chosen = -1;
                            now = laidOut(data, steps[i]);
                            change();
                          });
    if (groups > 1) P.choice(controls, 'colour by', ['sub-tree', 'lightpath'], (i) => {
      byTree = i === 0;
      change();
    });
    const counts = P.html(host, 'p', '', {class: 'counts', 'aria-live': 'polite'});
    counts.style.margin = '0.2rem 0';
    const top = (direction) => head + direction * (head + band + foot + between);
    const scale = (width) => (width - left - 6) / nodes;

    const view = P.canvas(host, page, 2 * (head + band + foot) + between, (context, width, height, colours) => {
      const wide = scale(width);
      context.font = '12px system-ui, sans-serif';
      for (const direction of [0, 1]) {
        const y = top(direction);
        context.textBaseline = 'alphabetic';
        context.textAlign = 'left';
        context.fillStyle = colours.ink;
        context.fillText(`${direction === 0 ? 'clockwise ▶' : '◀ counter-clockwise'}: ${now.used[direction]} of ${wavelengths} wavelengths used`, left, y - 7);

        // The grid: fine lines only where there is room for them
        context.fillStyle = P.mix(colours.paper, colours.ink, 0.05);
        context.fillRect(left, y, wide * nodes, band);
        context.strokeStyle = colours.line;
        context.lineWidth = 0.5;
        context.beginPath();
        for (let l = 0; l <= wavelengths; l += cell >= 6 ? 1 : wavelengths) context.moveTo(left, y + l * cell), context.lineTo(left + wide * nodes, y + l * cell);
        for (let s = 0; s <= nodes; s += wide >= 6 ? 1 : nodes) context.moveTo(left + s * wide, y), context.lineTo(left + s * wide, y + band);
        context.stroke();

        // Its numbers
        context.fillStyle = colours.quiet;
        context.textBaseline = 'middle';
        context.textAlign = 'right';
        const every = Math.ceil(13 / cell);
        for (let l = 0; l < wavelengths; l += every) context.fillText((data.numbered ? 'λ' : '') + l, left - 6, y + (l + 0.5) * cell);
        context.textAlign = 'center';
        const apart = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((n) => n * wide >= 34) || 2000;
        for (let s = 0; s < nodes; s += apart) context.fillText(s, left + (s + 0.5) * wide, y + band + 12);
      }
      context.textAlign = 'right';
      context.fillText('segment i joins nodes i and i + 1', width - 6, top(0) - 11);

      // The light
      for (const [direction, segment, segments, row, rows, i] of now.boxes) {
        const colour = P.shade(colours, byTree ? steps[at].paths[6 * i + 5] : i);
        const x = left + segment * wide, y = top(direction) + row * cell, w = segments * wide, h = rows * cell, gap = Math.min(1, wide / 8, cell / 8);
        context.globalAlpha = chosen >= 0 && chosen !== i ? 0.35 : 1;
        context.fillStyle = colour;
        context.fillRect(x + gap, y + gap, Math.max(0.7, w - 2 * gap), Math.max(0.7, h - 2 * gap));
        const [source, destination] = steps[at].paths.slice(6 * i, 6 * i + 2), label = `${source}→${destination}`;
        if (h >= 12 && w > 8 + context.measureText(label).width) {
          context.fillStyle = P.onTop(colour);
          context.textAlign = 'center';
          context.fillText(label, x + w / 2, y + h / 2 + 0.5);
        }
        if (chosen === i) {
          context.strokeStyle = colours.ink;
          context.lineWidth = 2;
          context.strokeRect(x + 1, y + 1, Math.max(1, w - 2), Math.max(1, h - 2));
        }
      }
      context.globalAlpha = 1;
    });

    function change() {
      const all = Math.max(...now.used);
      counts.textContent = `${P.count(now.count, 'lightpath')} in this step; ${all} of ${wavelengths} wavelengths used, ` +
                           `the busiest segment carries ${Math.max(...now.busiest)}` + (data.cut ? `. ${P.count(data.cut, 'further step')} not shown` : '');
      view.again();
    }
    const choose = (i) => {
      if (i !== chosen) view.again();
      chosen = i;
      return i < 0 ? null : saidOf(i);
    };
    P.pointed(page, view.element, (x, y) => {
      const wide = scale(view.size()[0]), segment = Math.floor((x - left) / wide), direction = y >= top(1) ? 1 : 0;
      const row = Math.floor((y - top(direction)) / cell);
      const box = now.boxes.find(([d, s, n, r, rows]) => d === direction && s <= segment && segment < s + n && r <= row && row < r + rows);
      return choose(box ? box[5] : -1);
    });
    P.walked(view.element, page, () => now.count, () => chosen, choose);
    change();
    host.step = step;
  });
})();
