// SPDX-License-Identifier: Apache-2.0
// A network and what binds on it: the near side of the tightest cut to the left, the other side to the right, and what crosses from
// one to the other in colour, with its rates. Of an exchange, which has no sides, all on one circle and the binding links in colour.
//
//       ● a ─── ● b ══▶ 200 Gb/s ══▶ ● d ─── ● e        ● nodes, on a circle     ■ switches, on a smaller one inside
//         ╲ ● c ╱                      ╲ ■ s ╱           what binds is wide and ends in an arrow
//
// Data (src/report/figures/network_figure.h):
//     vertices  [{name, switch, near}, …]
//     links     [[from, to, rate, binds], …]   numbers of vertices; rate: text, of all links that lead this way together
'use strict';

(() => {
  const P = helio.picture;
  const tall = 460, mostRates = 48, mostNames = 80;

  helio.register('network', (host, data, page) => {
    const {vertices, links} = data;
    const binding = links.filter(([, , , binds]) => binds);
    const sides = [vertices.map((_, v) => v).filter((v) => vertices[v].near), vertices.map((_, v) => v).filter((v) => !vertices[v].near)].filter((side) => side.length > 0);
    let places = [], chosen = -1;

    // Nodes of a side on a circle in the order of the file, switches on a smaller one
    function arranged(width) {
      const at = [], room = width - 40;
      let left = 20;
      for (const side of sides) {
        const share = sides.length === 1 ? 1 : Math.min(0.72, Math.max(0.28, side.length / vertices.length)), wide = share * room;
        const x = left + wide / 2, y = tall / 2, across = Math.max(20, wide / 2 - 56), up = tall / 2 - 40;
        for (const [kind, part] of [[false, 1], [true, 0.5]]) {
          const ring = side.filter((v) => vertices[v].switch === kind), alone = ring.length === 1 && (side.length === 1 || kind);
          ring.forEach((v, i) => {
            const angle = (i / ring.length) * 2 * Math.PI - Math.PI / 2 + (kind ? Math.PI / Math.max(1, ring.length) : 0);
            at[v] = alone ? [x, y] : [x + part * across * Math.cos(angle), y + part * up * Math.sin(angle)];
          });
        }
        left += wide;
      }
      return at;
    }

    function line(context, from, to, colour, thick, arrow) {
      const [x, y] = places[from], [u, v] = places[to], long = Math.hypot(u - x, v - y) || 1, back = 9 / long;
      const tip = [u - (u - x) * back, v - (v - y) * back];
      context.strokeStyle = context.fillStyle = colour;
      context.lineWidth = thick;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(...(arrow ? tip : [u, v]));
      context.stroke();
      if (!arrow) return;
      const angle = Math.atan2(v - y, u - x);
      context.beginPath();
      context.moveTo(...tip);
      for (const side of [-0.4, 0.4]) context.lineTo(tip[0] - 9 * Math.cos(angle + side), tip[1] - 9 * Math.sin(angle + side));
      context.fill();
    }

    const said = (v) => {
      const {name, switch: hands, near} = vertices[v], own = binding.filter(([from, to]) => from === v || to === v);
      return [`${hands ? 'switch' : 'node'} ${name}${sides.length > 1 ? (near ? ', on the near side' : ', on the far side') : ''}`,
              ...own.slice(0, 6).map(([from, to, rate]) => `${vertices[from].name} to ${vertices[to].name}: ${rate}`),
              own.length > 6 ? `and ${own.length - 6} more that bind` : ''].filter(Boolean).join('\n');
    };

    const legend = P.legend(host);
    const view = P.canvas(host, page, tall, (context, width, height, colours) => {
      places = arranged(width);
      context.font = '11px system-ui, sans-serif';
      context.textBaseline = 'middle';
      const faint = P.mix(colours.paper, colours.ink, 0.22);
      for (const [from, to, , binds] of links) if (!binds) line(context, from, to, faint, 1, false);
      for (const [from, to] of binding) line(context, from, to, colours.bad, 2.2, true);
      if (binding.length <= mostRates) {
        context.textAlign = 'center';
        for (const [from, to, rate] of binding) {
          const [x, y] = places[from], [u, v] = places[to], at = [x + 0.4 * (u - x), y + 0.4 * (v - y)], wide = context.measureText(rate).width + 6;
          context.fillStyle = colours.paper;
          context.fillRect(at[0] - wide / 2, at[1] - 7, wide, 14);
          context.fillStyle = colours.bad;
          context.fillText(rate, ...at);
        }
      }
      vertices.forEach(({name, switch: hands, near}, v) => {
        const [x, y] = places[v], size = v === chosen ? 9 : 6;
        context.fillStyle = near ? colours.accent : colours.quiet;
        context.beginPath();
        if (hands) context.rect(x - size + 1, y - size + 1, 2 * size - 2, 2 * size - 2);
        else context.arc(x, y, size, 0, 2 * Math.PI);
        context.fill();
        if (vertices.length > mostNames) return;
        context.fillStyle = colours.ink;
        context.textAlign = 'center';
        context.fillText(P.fitted(context, name, 90), x, y - 15);
      });
      legend.set([...(sides.length > 1 ? [[colours.accent, 'the near side'], [colours.quiet, 'the far side']] : [[colours.quiet, 'nodes; squares are switches']]),
                  [colours.bad, `${P.count(binding.length, 'pair')} of ends whose links bind`]]);
    });
    const found = (x, y) => places.findIndex(([u, v]) => Math.hypot(u - x, v - y) <= 10);
    const choose = (v) => {
      if (v !== chosen) {
        chosen = v;
        view.again();
      }
      return v < 0 ? null : said(v);
    };
    P.pointed(page, view.element, (x, y) => choose(found(x, y)));
    P.walked(view.element, page, () => vertices.length, () => chosen, choose);
  });
})();
