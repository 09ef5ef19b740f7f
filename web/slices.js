// SPDX-License-Identifier: Apache-2.0
// Slices of an ODDL fabric: which job runs when, and at any moment who holds which nodes and which light.
//
//     vision     ▒▒███████████████████│                   ▒ the WSS are set, █ the job runs; ▲ admitted, + grown, ✕ node lost, │ left,
//     search           ▒▒████+▒▒██████✕▒████              ○ refused. The slider goes from event to event; below it, that moment:
//
//     nodes    group 0 ■■■■□□□□          light  group 0 │2│2│ │1│ …     a cell: one channel on the fibre out of a group; its colour is
//              group 1 ■■■■■■■■                                         the job's, its number the group that the WSS leads it to
//
// Data (src/report/figures/slice_figure.h):
//     geometry   {groups, nodes_per_group, channels, planes}
//     end        seconds; where the chart ends
//     jobs       [name, …]
//     events     [{at, verb, job, node, done, words}, …]       verb: admit, grow, fail, leave; job: into jobs, −1: none
//     stretches  [{job, at, lit, end, algorithm, isolation…, nodes, light, words}, …]   a job on one slice; dark from `at` to `lit`
//       light    four numbers for each channel: source group, plane, channel, destination group
'use strict';

(() => {
  const P = helio.picture;
  const signs = {admit: '▲', grow: '+', fail: '✕', leave: '│'};

  helio.register('slices', (host, data, page) => {
    const {geometry, jobs, events, stretches} = data, row = 26, axis = 24, gap = 16;
    const moments = [...new Set(events.map(({at}) => at))];
    let at = moments.length - 1, plane = 0, marks = [];
    const controls = P.bar(host);
    const told = (time) => events.filter((event) => event.at === time).map((event) => `${event.verb} ${event.job < 0 ? `node ${event.node}` : jobs[event.job]}${event.done ? '' : ', refused'}`).join('; ');
    const slider = P.slider(controls, 'moment', moments.length, (i) => `${P.time(moments[i])}: ${told(moments[i])}`, (i) => {
      at = i;
      say();
      view.again();
    });
    if (geometry.planes > 1) P.choice(controls, 'plane', Array.from({length: geometry.planes}, (_, i) => String(i)), (i) => {
      plane = i;
      view.again();
    });
    const counts = P.html(host, 'p', '', {class: 'counts', 'aria-live': 'polite'});
    counts.style.margin = '0.2rem 0';

    // What is in force just after the moment
    const running = () => stretches.filter((stretch) => stretch.at <= moments[at] && moments[at] < stretch.end);
    const lost = () => events.filter((event) => event.verb === 'fail' && event.at <= moments[at]).map(({node}) => node);
    const chart = jobs.length * row + axis;
    const cellOf = (width) => {
      const room = width - 2 * gap - 150;  // beside each other: nodes, then channels
      return Math.max(3, Math.min(20, room / (geometry.nodes_per_group + geometry.channels)));
    };
    const tall = (width) => chart + 52 + geometry.groups * cellOf(width) + 8;

    const view = P.canvas(host, page, tall, (context, width, height, colours) => {
      const cell = cellOf(width), now = moments[at];
      const job = (i) => P.shade(colours, i);
      context.font = '12px system-ui, sans-serif';
      context.textBaseline = 'middle';
      marks = [];

      // Jobs over time
      const left = Math.min(width * 0.3, 16 + Math.max(40, ...jobs.map((name) => context.measureText(name).width)));
      const x = (time) => left + time / data.end * (width - left - 12);
      context.strokeStyle = colours.line;
      context.lineWidth = 1;
      context.fillStyle = colours.quiet;
      context.textAlign = 'center';
      for (const tick of P.ticks(0, data.end, (width - left) / 90)) {
        context.beginPath();
        context.moveTo(x(tick), 0);
        context.lineTo(x(tick), jobs.length * row);
        context.stroke();
        context.fillText(P.time(tick), Math.min(x(tick), width - 18), jobs.length * row + 12);
      }
      context.textAlign = 'left';
      jobs.forEach((name, j) => {
        context.fillStyle = colours.ink;
        context.fillText(P.fitted(context, name, left - 14), 4, (j + 0.5) * row);
      });
      for (const stretch of stretches) {
        const y = stretch.job * row + 4, h = row - 8, a = x(stretch.at), b = Math.max(a + 1.5, Math.min(x(stretch.lit), x(stretch.end))), c = Math.max(b + 1, x(stretch.end));
        context.fillStyle = job(stretch.job);
        context.globalAlpha = 0.4;
        context.fillRect(a, y, b - a, h);
        context.globalAlpha = 1;
        context.fillRect(b, y, c - b, h);
        context.fillStyle = P.onTop(job(stretch.job));
        if (c - b > 40) context.fillText(P.fitted(context, `${stretch.nodes.length} nodes, ${stretch.algorithm}`, c - b - 10), b + 6, y + h / 2);
        marks.push([a, y, c - a, h, `${jobs[stretch.job]}\n${stretch.words}`]);
      }
      context.font = '600 14px system-ui, sans-serif';
      context.textAlign = 'center';
      for (const event of events) {
        if (event.job < 0) continue;
        const y = (event.job + 0.5) * row, sign = event.done ? signs[event.verb] : '○';
        context.lineWidth = 3;
        context.strokeStyle = colours.paper;
        context.strokeText(sign, x(event.at), y);
        context.fillStyle = colours.ink;
        context.fillText(sign, x(event.at), y);
        marks.push([x(event.at) - 7, y - 9, 14, 18, `${P.time(event.at)}: ${event.words}`]);
      }
      context.font = '12px system-ui, sans-serif';
      context.strokeStyle = colours.ink;
      context.lineWidth = 1.5;
      context.setLineDash([4, 3]);
      context.beginPath();
      context.moveTo(x(now), 0);
      context.lineTo(x(now), jobs.length * row + 4);
      context.stroke();
      context.setLineDash([]);

      // Nodes, and light, at that moment
      const top = chart + 44, nodesLeft = 66, lightLeft = nodesLeft + geometry.nodes_per_group * cell + gap + 66;
      context.textAlign = 'left';
      context.fillStyle = colours.ink;
      context.fillText('nodes', nodesLeft, top - 24);
      context.fillText(`light on plane ${plane}: channels of the fibre out of each group, numbered with the group they lead to`, lightLeft, top - 24);
      const holder = new Map(), light = new Map(), dead = new Set(lost());
      for (const stretch of running()) {
        for (const node of stretch.nodes) holder.set(node, stretch);
        for (let i = 0; i < stretch.light.length; i += 4) if (stretch.light[i + 1] === plane) light.set(`${stretch.light[i]},${stretch.light[i + 2]}`, [stretch, stretch.light[i + 3]]);
      }
      const square = (px, py, stretch, text, crossed, words) => {
        context.fillStyle = stretch ? job(stretch.job) : P.mix(colours.paper, colours.ink, 0.08);
        context.fillRect(px + 0.5, py + 0.5, cell - 1, cell - 1);
        context.textAlign = 'center';
        context.fillStyle = stretch ? P.onTop(job(stretch.job)) : colours.ink;
        if (cell >= 12 && (text !== '' || crossed)) context.fillText(crossed ? '✕' : text, px + cell / 2, py + cell / 2 + 0.5);
        marks.push([px, py, cell, cell, words]);
      };
      for (let g = 0; g < geometry.groups; ++g) {
        const y = top + g * cell;
        context.textAlign = 'right';
        context.fillStyle = colours.quiet;
        if (cell >= 12 || g % Math.ceil(14 / cell) === 0) {
          context.fillText(`group ${g}`, nodesLeft - 6, y + cell / 2);
          context.fillText(`group ${g}`, lightLeft - 6, y + cell / 2);
        }
        for (let n = 0; n < geometry.nodes_per_group; ++n) {
          const node = g * geometry.nodes_per_group + n, stretch = holder.get(node), who = dead.has(node) ? 'failed' : stretch ? jobs[stretch.job] : 'free';
          square(nodesLeft + n * cell, y, stretch, '', dead.has(node), `node ${node}: ${who}`);
        }
        for (let c = 0; c < geometry.channels; ++c) {
          const [stretch, to] = light.get(`${g},${c}`) || [];
          square(lightLeft + c * cell, y, stretch, stretch ? to : '', false, `group ${g}, channel ${c}: ${stretch ? `${jobs[stretch.job]}, to group ${to}` : 'dark'}`);
        }
      }
      context.fillStyle = colours.quiet;
      context.textAlign = 'center';
      const every = Math.ceil(20 / cell);
      for (let n = 0; n < geometry.nodes_per_group; n += every) context.fillText(n, nodesLeft + (n + 0.5) * cell, top - 8);
      for (let c = 0; c < geometry.channels; c += every) context.fillText(c, lightLeft + (c + 0.5) * cell, top - 8);
    });

    const legend = P.legend(host);
    function say() {
      const all = geometry.groups * geometry.nodes_per_group, held = running().reduce((sum, stretch) => sum + stretch.nodes.length, 0);
      const lit = running().reduce((sum, stretch) => sum + stretch.light.length / 4, 0), lights = geometry.groups * geometry.channels * geometry.planes;
      counts.textContent = `${held} of ${all} nodes held by ${P.count(running().length, 'job')}, ${lit} of ${lights} channels lit`;
      legend.set(jobs.map((name, i) => [P.shade(page.colours(), i), name]));
    }
    P.html(host, 'p', '▲ admitted, + grown, ✕ node lost, │ left, ○ refused; pale: the WSS are being set').style.margin = '0.2rem 0';
    P.pointed(page, view.element, (px, py) => {
      for (let i = marks.length - 1; i >= 0; --i) {
        const [l, t, w, h, words] = marks[i];
        if (px >= l && px < l + w && py >= t && py < t + h) return words;
      }
      return null;
    });
    page.onTheme(say);
    slider.set(at);
    host.step = slider;
  });
})();
