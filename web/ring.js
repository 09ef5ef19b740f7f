// SPDX-License-Identifier: Apache-2.0
// A WDM ring from above: nodes on a circle, lightpaths as arcs along it, sub-trees in colours, those that gather or spread marked.
//
//            ╭──▶ 1 ──▶ ◉2 ◀── 3 ╮            outside the circle light runs clockwise, inside it counter-clockwise; an arc ends in an
//           0                      4           arrow at its destination. ◉: the representative, which all lightpaths of a sub-tree share
//
// Where there are too many arcs to tell apart, a band along the circle stands for those of a sub-tree and direction, as thick as the
// wavelengths that it takes of each segment: it grows towards the representative.
//
// Data: as web/wavelengths.js, and in each step
//     hubs      [node, …]  the representatives
'use strict';

(() => {
  const P = helio.picture;
  const mostArcs = 320, mostWavelengths = 16;

  helio.register('ring', (host, data, page) => {
    const {nodes, wavelengths, steps} = data;
    let at = 0, chosen = -1;
    const few = (step) => data.numbered && wavelengths <= mostWavelengths && step.paths.length / 6 <= mostArcs;
    const angle = (node) => (node / nodes) * 2 * Math.PI - Math.PI / 2;
    const pathOf = (i) => steps[at].paths.slice(6 * i, 6 * i + 6);
    const hops = (source, destination, direction) => (direction === 0 ? destination - source + nodes : source - destination + nodes) % nodes;
    const trees = () => steps[at].paths.reduce((most, value, i) => (i % 6 === 5 ? Math.max(most, value + 1) : most), 0);
    const saidOf = (i) => {
      const [source, destination, direction, first, width, tree] = pathOf(i), {bytes} = steps[at];
      return `lightpath ${source} → ${destination}, ${direction === 0 ? 'clockwise' : 'counter-clockwise'}, ${P.count(hops(source, destination, direction), 'segment')}\n` +
             `${data.numbered ? `from wavelength ${first} on, ` : ''}${P.count(width, 'wavelength')}, ${P.bytes(Array.isArray(bytes) ? bytes[i] : bytes)}\n` +
             `step ${at + 1}: ${steps[at].name}, sub-tree ${tree + 1}`;
    };

    const controls = P.bar(host);
    host.step = P.slider(controls, 'step', steps.length,
             (i) => `${i + 1} of ${steps.length}: ${steps[i].name}, ${P.count(steps[i].paths.length / 6, 'lightpath')}` +
                    (steps[i].hubs.length ? `, ${P.count(steps[i].hubs.length, 'representative')}` : ''),
             (i) => {
               at = i;
               chosen = -1;
               view.again();
             });

    let place = {};  // of the frame that was drawn last
    const radiusOf = (direction, wavelength) =>
      direction === 0 ? place.radius + place.inset + wavelength * place.pitch : place.radius - place.inset - wavelength * place.pitch;

    function arcs(context, colours) {
      const several = trees() > 1;
      for (let i = 0; i * 6 < steps[at].paths.length; ++i) {
        const [source, destination, direction, first, width, tree] = pathOf(i);
        const radius = radiusOf(direction, first + (width - 1) / 2), sign = direction === 0 ? 1 : -1;
        const from = angle(source), to = from + sign * hops(source, destination, direction) * 2 * Math.PI / nodes, tip = Math.min(0.06, 7 / radius);
        context.globalAlpha = chosen >= 0 && chosen !== i ? 0.25 : 1;
        context.strokeStyle = context.fillStyle = P.shade(colours, several ? tree : i);
        context.lineWidth = Math.max(1.6, Math.min(5, place.pitch * width * 0.55));
        context.beginPath();
        context.arc(0, 0, radius, from, to - sign * tip, direction === 1);
        context.stroke();
        context.beginPath();
        const size = Math.max(4, context.lineWidth + 1.5);
        context.moveTo(radius * Math.cos(to), radius * Math.sin(to));
        for (const side of [-size / 1.4, size / 1.4]) context.lineTo((radius + side) * Math.cos(to - sign * tip * 1.4), (radius + side) * Math.sin(to - sign * tip * 1.4));
        context.fill();
      }
    }

    function bands(context, colours) {
      const over = new Map();  // by sub-tree and direction: wavelengths on each segment
      for (let i = 0; i * 6 < steps[at].paths.length; ++i) {
        const [source, destination, direction, , width, tree] = pathOf(i), key = tree * 2 + direction;
        if (!over.has(key)) over.set(key, new Float64Array(nodes));
        const list = over.get(key), count = hops(source, destination, direction), begin = direction === 0 ? source : source - count;
        for (let h = 0; h < count; ++h) list[(begin + h + nodes) % nodes] += width;
      }
      const beneath = [new Float64Array(nodes), new Float64Array(nodes)];  // those of other sub-trees on the same segment
      for (const [key, list] of over) list.forEach((count, s) => { beneath[key % 2][s] += count; });
      const thick = place.room / Math.max(1, ...beneath.map((list) => list.reduce((a, b) => Math.max(a, b), 0)));
      beneath.forEach((list) => list.fill(0));
      for (const [key, list] of over) {
        const direction = key % 2, sign = direction === 0 ? 1 : -1;
        context.fillStyle = P.shade(colours, Math.floor(key / 2));
        context.beginPath();
        for (let s = 0; s < nodes; ++s) {
          if (list[s] === 0) continue;
          const inner = place.radius + sign * (place.inset + beneath[direction][s] * thick), outer = inner + sign * list[s] * thick;
          beneath[direction][s] += list[s];
          context.moveTo(inner * Math.cos(angle(s)), inner * Math.sin(angle(s)));
          context.arc(0, 0, inner, angle(s), angle(s + 1) + 0.001);
          context.arc(0, 0, outer, angle(s + 1) + 0.001, angle(s), true);
          context.closePath();
        }
        context.fill();
      }
    }

    const view = P.canvas(host, page, (width) => Math.min(560, Math.max(320, width * 0.62)), (context, width, height, colours) => {
      const size = Math.min(width, height), step = steps[at], individually = few(step);
      place = {room: size * 0.1, x: width / 2, y: height / 2, inset: individually ? 12 : 8};
      place.pitch = Math.min(14, place.room / Math.max(1, wavelengths - 1));
      const beyond = place.inset + (individually ? (wavelengths - 1) * place.pitch + 6 : place.room) + 16;  // from the circle to the numbers
      place.radius = size / 2 - beyond - 10;
      context.save();
      context.translate(place.x, place.y);
      context.font = '12px system-ui, sans-serif';
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.strokeStyle = colours.line;
      context.lineWidth = 1.5;
      context.beginPath();
      context.arc(0, 0, place.radius, 0, 2 * Math.PI);
      context.stroke();
      if (individually) arcs(context, colours);
      else bands(context, colours);
      context.globalAlpha = 1;

      // Nodes, in the colour of their sub-tree; numbers where they have room
      const tree = new Map(), hubs = new Set(step.hubs), around = 2 * Math.PI * place.radius / nodes;
      for (let i = 0; i < step.paths.length; i += 6) for (const node of step.paths.slice(i, i + 2)) tree.set(node, step.paths[i + 5]);
      const several = trees() > 1, dot = Math.max(0.8, Math.min(5, around * 0.35));
      for (let n = 0; n < nodes; ++n) {
        const x = place.radius * Math.cos(angle(n)), y = place.radius * Math.sin(angle(n));
        context.fillStyle = tree.has(n) && several ? P.shade(colours, tree.get(n)) : colours.quiet;
        context.beginPath();
        context.arc(x, y, hubs.has(n) ? Math.max(5.5, dot) : dot, 0, 2 * Math.PI);
        context.fill();
        if (!hubs.has(n)) continue;
        context.strokeStyle = colours.ink;
        context.lineWidth = 2;
        context.stroke();
      }
      context.fillStyle = colours.ink;
      const every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((n) => n * around >= 34) || nodes;
      const out = place.radius + beyond;
      for (let n = 0; n < nodes; n += every) context.fillText(n, out * Math.cos(angle(n)), out * Math.sin(angle(n)));
      const said = individually ? ['outside: clockwise', 'inside: counter-clockwise'] : ['bands: wavelengths', 'in use on each segment'];
      [`${nodes} nodes`, `${wavelengths} wavelengths each way`, ...said].forEach((text, i) => {
        if (i === 2) context.fillStyle = colours.quiet;
        context.fillText(text, 0, 17 * i - 26);
      });
      context.restore();
    });

    const choose = (i) => {
      if (i !== chosen) view.again();
      chosen = i;
      return i < 0 ? null : saidOf(i);
    };
    P.pointed(page, view.element, (x, y) => {
      const dx = x - place.x, dy = y - place.y, r = Math.hypot(dx, dy), node = ((Math.atan2(dy, dx) + Math.PI / 2) / (2 * Math.PI) * nodes + nodes) % nodes;
      const direction = r >= place.radius ? 0 : 1;
      if (!few(steps[at])) {
        if (Math.abs(r - place.radius) > place.room + 20) return null;
        const segment = Math.floor(node);
        let here = 0;
        for (let i = 0; i * 6 < steps[at].paths.length; ++i) {
          const [source, destination, way, , width] = pathOf(i), count = hops(source, destination, way), begin = way === 0 ? source : (source - count + nodes) % nodes;
          if (way === direction && (segment - begin + nodes) % nodes < count) here += width;
        }
        return `segment ${segment}-${(segment + 1) % nodes}, ${direction === 0 ? 'clockwise' : 'counter-clockwise'}\n${here} of ${wavelengths} wavelengths in use`;
      }
      let best = -1, near = Math.max(5, place.pitch / 2);
      for (let i = 0; i * 6 < steps[at].paths.length; ++i) {
        const [source, destination, way, first, width] = pathOf(i), count = hops(source, destination, way);
        const along = way === 0 ? (node - source + nodes) % nodes : (source - node + nodes) % nodes;
        const off = Math.abs(r - radiusOf(way, first + (width - 1) / 2));
        if (way === direction && along <= count && off < near) {
          near = off;
          best = i;
        }
      }
      return choose(best);
    });
    P.walked(view.element, page, () => steps[at].paths.length / 6, () => chosen, choose);
  });
})();
