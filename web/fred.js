// SPDX-License-Identifier: Apache-2.0
// A configured FRED switch: the way of every flow through the micro-switches, where it is added (+) and where it is copied (<). Pointing at a
// flow, or reaching its name by keyboard, brings it to the front.
//
// Data (src/report/figures/fred_figure.h), places in pixels, y downwards:
//     switches   [{title, width, height, headings, frames, boxes, wires, inside, marks, ports, flows}, …]  one is shown at a time
//       headings [[x, y, text], …]                    over the columns: R adds, D copies, RD does both
//       frames   [[x, y, width, height, text], …]     middle switches
//       boxes    [[x, y, width, height, used], …]     micro-switches
//       wires    [[flow or −1, x, y, x, y], …]        −1: idle
//       inside   [[flow, x, y, x, y], …]              what runs inside a micro-switch
//       marks    [[flow, x, y, radius, adds], …]      adds: 1 where vectors are added, 0 where one is copied
//       ports    [[flow or −1, x, y, side, number], …]  side: −1 on the left, 1 on the right
//       flows    [[letter, words], …]
'use strict';

(() => {
  const P = helio.picture;
  const dashes = ['none', '9 4', '2.5 3', '10 3 2.5 3'];
  const curve = (x, y, u, v) => `M${x} ${y}C${(x + u) / 2} ${y} ${(x + u) / 2} ${v} ${u} ${v}`;

  helio.register('fred', (host, data, page) => {
    let at = 0, pinned = -1;
    const controls = P.bar(host);
    if (data.switches.length > 1) P.choice(controls, 'switch', data.switches.map((one) => one.title), (i) => {
      at = i;
      pinned = -1;
      build();
    });
    const large = data.switches.some((one) => one.width > (host.clientWidth || 1200));
    const sizes = large ? P.choice(controls, 'size', ['as wide as the page', 'full size'], () => size()) : {value: '0'};
    const wide = P.html(host, 'div', null, {class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'the switch, wider than the page on small screens'});
    wide.style.overflowX = 'auto';
    const legend = P.html(host, 'div', null, {role: 'group', 'aria-label': 'flows'});
    Object.assign(legend.style, {display: 'flex', flexWrap: 'wrap', gap: '0.3rem 0.5rem', margin: '0.4rem 0'});
    P.html(host, 'p', '+ adds two vectors, < copies one; thin lines are idle').style.margin = '0.2rem 0';

    let groups = [], svg;
    const size = () => {
      svg.style.maxWidth = sizes.value === '0' ? '100%' : 'none';
    };
    const lift = (flow) => groups.forEach((group, i) => group.setAttribute('opacity', flow < 0 || flow === i ? 1 : 0.13));

    function build() {
      const one = data.switches[at], colours = page.colours();
      wide.textContent = '';
      legend.textContent = '';
      svg = P.svg(wide, 'svg', {viewBox: `0 0 ${one.width} ${one.height}`, width: one.width, height: one.height, role: 'img', 'aria-label': `${page.figure.title}. ${page.figure.words}`});
      Object.assign(svg.style, {height: 'auto', fontFamily: 'system-ui, sans-serif'});
      size();
      const colour = (flow) => P.shade(colours, flow);
      const letters = Math.min(15, 12 * Math.max(1, one.width / (host.clientWidth || one.width)));  // two ports are 16 apart

      // At the back: frames, boxes, what is idle
      for (const [x, y, width, height, text] of one.frames) {
        P.svg(svg, 'rect', {x, y, width, height, rx: 6, fill: P.mix(colours.paper, colours.ink, 0.045), stroke: colours.line});
        P.svg(svg, 'text', {x: x + width / 2, y: y + 12, 'text-anchor': 'middle', 'font-size': 11, fill: colours.quiet}, text);
      }
      for (const [x, y, text] of one.headings) P.svg(svg, 'text', {x, y, 'text-anchor': 'middle', 'font-size': letters, fill: colours.quiet}, text);
      const idle = one.wires.filter(([flow]) => flow < 0).map(([, ...ends]) => curve(...ends)).join('');
      P.svg(svg, 'path', {d: idle || 'M0 0', fill: 'none', stroke: P.mix(colours.paper, colours.ink, 0.25), 'stroke-width': 0.8, class: 'idle'});
      for (const [x, y, width, height, used] of one.boxes)
        P.svg(svg, 'rect', {x, y, width, height, rx: 4, fill: colours.paper, stroke: used ? colours.ink : P.mix(colours.paper, colours.ink, 0.35), class: 'box'});

      // In front: a group for each flow
      groups = one.flows.map(([letter, words], i) => {
        const group = P.svg(svg, 'g', {class: 'flow', 'data-flow': letter});
        group.addEventListener('pointermove', (event) => {
          lift(i);
          page.tip(event.clientX, event.clientY, `flow ${letter}\n${words}`);
        });
        group.addEventListener('pointerleave', () => {
          lift(pinned);
          page.hideTip();
        });
        return group;
      });
      for (const [flow, ...ends] of one.wires)
        if (flow >= 0) P.svg(groups[flow], 'path', {d: curve(...ends), fill: 'none', stroke: colour(flow), 'stroke-width': 2.4, 'stroke-dasharray': dashes[flow % dashes.length], class: 'wire'});
      for (const [flow, ...ends] of one.inside) P.svg(groups[flow], 'path', {d: curve(...ends), fill: 'none', stroke: colour(flow), 'stroke-width': 2.4});
      for (const [flow, x, y, radius, adds] of one.marks) {
        P.svg(groups[flow], 'circle', {cx: x, cy: y, r: radius, fill: colour(flow), class: adds ? 'adds' : 'copies'});
        const r = 0.55 * radius;
        P.svg(groups[flow], 'path', {d: adds ? `M${x - r} ${y}H${x + r}M${x} ${y - r}V${y + r}` : `M${x + 0.8 * r} ${y - r}L${x - 0.9 * r} ${y}L${x + 0.8 * r} ${y + r}`,
                                     fill: 'none', stroke: P.onTop(colour(flow)), 'stroke-width': Math.max(1.2, 0.23 * radius), 'stroke-linecap': 'round'});
      }
      for (const [flow, x, y, side, number] of one.ports) {
        const anchor = side > 0 ? 'start' : 'end';
        P.svg(svg, 'text', {x: x + side * 22, y: y + 4, 'text-anchor': anchor, 'font-size': letters, fill: colours.ink}, number);
        if (flow >= 0) P.svg(groups[flow], 'text', {x: x + side * 5, y: y + 4, 'text-anchor': anchor, 'font-size': letters, 'font-weight': 700, fill: colours.ink}, one.flows[flow][0]);
      }

      // Names, which are buttons: pressed, a flow stays in front
      one.flows.forEach(([letter, words], i) => {
        const button = P.html(legend, 'button', null, {type: 'button', 'aria-pressed': String(i === pinned)});
        const sample = P.svg(button, 'svg', {width: 28, height: 8, 'aria-hidden': 'true'});
        P.svg(sample, 'path', {d: 'M0 4H28', stroke: colour(i), 'stroke-width': 2.4, 'stroke-dasharray': dashes[i % dashes.length]});
        button.append(` ${letter}: ${words}`);
        button.addEventListener('click', () => {
          pinned = pinned === i ? -1 : i;
          [...legend.children].forEach((other, k) => other.setAttribute('aria-pressed', String(k === pinned)));
          lift(pinned);
        });
        button.addEventListener('focus', () => lift(i));
        button.addEventListener('blur', () => lift(pinned));
        button.addEventListener('pointerenter', () => lift(i));
        button.addEventListener('pointerleave', () => lift(pinned));
      });
      lift(pinned);
    }
    build();
    page.onTheme(build);
  });
})();
