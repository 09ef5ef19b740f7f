// SPDX-License-Identifier: Apache-2.0
// Meshes of MZIs as heat-maps: columns from left to right as light passes them, modes from top to bottom, a cell for each MZI, coloured by one
// of its values.
//
// Data (src/report/figures/mesh_figure.h):
//     meshes    [{title, modes, columns, inputs, outputs, mode, column, values}, …]
//       mode, column      of each MZI; it stands on modes m and m + 1
//       values            a list for each of `layers`, a number for each MZI
//     layers    [{name, unit, low, high, diverging}, …]   e.g. θ in rad from 0 to π/2; diverging: zero is in the middle and has no colour
'use strict';

(() => {
  const P = helio.picture;
  const labels = 34, head = 24;

  helio.register('mesh', (host, data, page) => {
    let layer = 0, chosen = -1, cells = [];
    const controls = P.bar(host);
    P.choice(controls, 'colour by', data.layers.map(({name}) => name), (i) => {
      layer = i;
      view.again();
    });
    const columns = (mesh) => Math.max(1, mesh.columns);

    // Meshes side by side, in as many rows as the page is narrow
    function arranged(width) {
      const most = Math.max(...data.meshes.map((mesh) => mesh.modes)), deepest = Math.max(...data.meshes.map(columns));
      const beside = data.meshes.length > 1 ? 2 : 1;  // at least, where they are large
      const pitch = Math.max(3, Math.min(26, 620 / most, (width / beside - labels - 30) / (deepest + 1)));
      let x = 0, y = 0, tall = 0;
      const places = data.meshes.map((mesh) => {
        const wide = Math.max(labels + (columns(mesh) + 1) * pitch + 26, 7.2 * mesh.title.length), high = head + mesh.modes * pitch + 22;
        if (x > 0 && x + wide > width) {
          x = 0;
          y += tall;
          tall = 0;
        }
        const place = {x, y};
        x += wide;
        tall = Math.max(tall, high);
        return place;
      });
      return {places, pitch, height: y + tall};
    }
    const colour = (value, colours) => {
      const {low, high, diverging} = data.layers[layer];
      if (diverging) return P.diverging(high > 0 ? value / high : 0, colours);
      return P.viridis(high > low ? (value - low) / (high - low) : 0);
    };

    const view = P.canvas(host, page, (width) => arranged(width).height + 56, (context, width, height, colours) => {
      const {places, pitch, height: bottom} = arranged(width);
      cells = [];
      context.font = '12px system-ui, sans-serif';
      context.textBaseline = 'middle';
      data.meshes.forEach((mesh, k) => {
        const {x: left, y: top} = places[k], x0 = left + labels, y0 = top + head;
        context.fillStyle = colours.ink;
        context.textAlign = 'left';
        context.fillText(mesh.title, left, top + 11);
        context.strokeStyle = P.mix(colours.paper, colours.ink, 0.35);
        context.lineWidth = 1;
        context.beginPath();
        for (let m = 0; m < mesh.modes; ++m) {
          context.moveTo(x0 - 0.5 * pitch, y0 + (m + 0.5) * pitch);
          context.lineTo(x0 + (columns(mesh) + 0.4) * pitch, y0 + (m + 0.5) * pitch);
        }
        context.stroke();
        context.fillStyle = colours.quiet;
        context.textAlign = 'right';
        for (let m = 0; m < mesh.modes; m += Math.ceil(13 / pitch)) context.fillText(m, x0 - 0.5 * pitch - 5, y0 + (m + 0.5) * pitch);
        context.textAlign = 'center';
        for (let c = 0; c < mesh.columns; c += Math.ceil(28 / pitch)) context.fillText(c, x0 + (c + 0.4) * pitch, y0 + mesh.modes * pitch + 9);
        for (let i = 0; i < mesh.mode.length; ++i) {
          const x = x0 + mesh.column[i] * pitch, y = y0 + (mesh.mode[i] + 0.18) * pitch, w = 0.82 * pitch, h = 1.64 * pitch;
          const fill = colour(mesh.values[layer][i], colours);
          context.fillStyle = fill;
          context.fillRect(x, y, w, h);
          if (pitch >= 7) {
            context.strokeStyle = cells.length === chosen ? colours.ink : P.mix(colours.paper, colours.ink, 0.5);
            context.lineWidth = cells.length === chosen ? 2.5 : 0.7;
            context.strokeRect(x, y, w, h);
          }
          cells.push([x, y, w, h, k, i]);
        }
      });

      // The scale
      const {name, unit, low, high, diverging} = data.layers[layer], from = diverging ? -high : low, y = bottom + 6, wide = Math.min(260, width - 80);
      for (let i = 0; i < wide; ++i) {
        context.fillStyle = colour(from + (high - from) * i / (wide - 1), colours);
        context.fillRect(labels + i, y, 1.5, 12);
      }
      context.strokeStyle = colours.line;
      context.lineWidth = 1;
      context.strokeRect(labels, y, wide, 12);
      context.fillStyle = colours.ink;
      const shown = (value) => String(Number(value.toPrecision(4)));
      for (const part of [0, 0.5, 1]) {
        context.textAlign = 'center';
        context.fillText(shown(from + (high - from) * part), labels + wide * part, y + 24);
      }
      context.textAlign = 'left';
      context.fillText(`${name}${unit ? ', ' + unit : ''}`, labels, y + 42);
    });

    const saidOf = (i) => {
      const [, , , , k, mzi] = cells[i], mesh = data.meshes[k];
      const values = data.layers.map(({name, unit}, l) => `${name} ${Number(mesh.values[l][mzi].toPrecision(5))}${unit ? ' ' + unit : ''}`);
      return `${mesh.title}\nmodes ${mesh.mode[mzi]} and ${mesh.mode[mzi] + 1}, column ${mesh.column[mzi]}\n${values.join('\n')}`;
    };
    const choose = (i) => {
      if (i !== chosen) view.again();
      chosen = i;
      return i < 0 ? null : saidOf(i);
    };
    P.pointed(page, view.element, (x, y) => choose(cells.findIndex(([l, t, w, h]) => x >= l && x < l + w && y >= t && y < t + h)));
    P.walked(view.element, page, () => cells.length, () => chosen, choose);
  });
})();
