// SPDX-License-Identifier: Apache-2.0
// A timeline of NPUs, links and wavelengths: a row each, and in it what went on, from when to when. Zooms and pans over a million spans.
//
// Data (src/report/figures/timeline_figure.h):
//     end       seconds that all of it takes
//     groups    [[title, rows], …]        rows in order belong to groups in order
//     rows      [name, …]
//     first     [0, …, spans]             the spans of row r are those from first[r] to first[r + 1], in order of time; they do not overlap
//     names, classes                      texts
//     name, class                         of each span, into these; rounds: how many equal rounds it stands for, where not all are 1
//     begin, duration                     of each span, seconds
//     cut       there is more that was not kept
//
// helio.timeline.benchmark(host, spans, frames): made-up spans, drawn over and over at all scales; returns {spans, frames, mean_ms,
// worst_ms, index_ms}. A frame ends when its pixels can be read.
'use strict';

(() => {
  const P = helio.picture;
  const rowHeight = 18, axisHeight = 26, overviewHeight = 34, above = axisHeight + overviewHeight, most = 460, overviewName = 'busy rows';

  class Timeline {
    constructor(host, data, page) {
      this.page = page;
      this.index = helio.spans.indexed(data);
      this.whole = data.end > 0 ? data.end : 1;
      this.from = 0;
      this.to = this.whole;
      this.top = 0;  // pixels that are scrolled away
      this.pointers = new Map();
      const bar = P.bar(host);
      for (const [label, name, act] of [['+', 'zoom in', () => this.zoom(0.5)], ['−', 'zoom out', () => this.zoom(2)],
                                        ['◀', 'earlier', () => this.pan(-0.25)], ['▶', 'later', () => this.pan(0.25)],
                                        ['▲', 'rows above', () => this.scroll(-8 * rowHeight)], ['▼', 'rows below', () => this.scroll(8 * rowHeight)],
                                        ['all', 'the whole time', () => this.show(0, this.whole)]])
        page.button(bar, label, act).setAttribute('aria-label', name);
      this.seen = P.html(bar, 'output', '', {'aria-live': 'polite'});
      const full = this.index.lines.length * rowHeight;
      this.view = P.canvas(host, page, Math.min(most, full) + above, (...all) => this.frame(...all));
      this.listen(this.view.element);
      this.legend = P.legend(host);
      const legend = () => this.legend.set(data.classes.map((name, i) => [P.shade(page.colours(), i), name]));
      legend();
      page.onTheme(legend);
      this.say();
    }

    // What is in sight

    show(from, to) {
      const span = Math.min(this.whole, Math.max(to - from, this.whole * 1e-12));
      this.from = Math.min(Math.max(0, from), this.whole - span);
      this.to = this.from + span;
      this.view.again();
      this.say();
    }
    zoom(factor, at = (this.from + this.to) / 2) {
      this.show(at - (at - this.from) * factor, at + (this.to - at) * factor);
    }
    pan(part) {
      const by = Math.min(this.whole - this.to, Math.max(-this.from, (this.to - this.from) * part));
      this.show(this.from + by, this.to + by);
    }
    scroll(by) {
      const room = this.view.size()[1] - above;
      this.top = Math.max(0, Math.min(this.index.lines.length * rowHeight - room, this.top + by));
      this.view.again();
    }
    say() {
      this.seen.textContent = `${P.time(this.from)} to ${P.time(this.to)} of ${P.time(this.whole)}`;
    }
    time(x) {
      return this.from + (x - this.left) / (this.width - this.left) * (this.to - this.from);
    }
    lineAt(y) {
      return y > above ? this.index.lines[Math.floor((y - above + this.top) / rowHeight)] : undefined;
    }

    // One frame

    frame(context, width, height, colours) {
      const {data, lines} = this.index;
      this.width = width;
      context.font = '12px system-ui, sans-serif';
      context.textBaseline = 'middle';
      if (this.left === undefined || this.measured !== width) {
        this.measured = width;
        let widest = context.measureText(overviewName).width;
        for (const name of data.rows.slice(0, 2000)) widest = Math.max(widest, context.measureText(name).width);
        this.left = Math.ceil(Math.min(widest + 18, width * 0.34, 380));
        this.overview = null;
      }
      const shades = data.classes.map((_, i) => P.shade(colours, i));
      this.axis(context, width, height, colours);
      context.save();
      context.beginPath();
      context.rect(0, above, width, height - above);
      context.clip();
      const firstLine = Math.floor(this.top / rowHeight);
      const lastLine = Math.min(lines.length, Math.ceil((this.top + height - above) / rowHeight));
      for (let l = firstLine; l < lastLine; ++l) {
        const y = above + l * rowHeight - this.top;
        context.fillStyle = colours.ink;
        if (lines[l].row === undefined) {
          context.font = '600 12px system-ui, sans-serif';
          context.fillText(P.fitted(context, lines[l].title, width - 8), 4, y + rowHeight / 2);
          context.font = '12px system-ui, sans-serif';
        } else {
          context.fillText(P.fitted(context, data.rows[lines[l].row], this.left - 14), 10, y + rowHeight / 2);
          this.row(context, lines[l].row, y, width, shades, colours);
        }
      }
      context.restore();
      this.scrollbar(context, width, height, colours);
      this.drawOverview(context, width, colours);
    }

    // Spans narrower than a pixel become two pixels, and the search goes on behind them: the work is by pixels, not by spans.
    row(context, row, y, width, shades, colours) {
      const {first, begin, end, kind, data, firstEnding} = this.index;
      const last = first[row + 1], scale = (width - this.left) / (this.to - this.from), left = this.left;
      let open = -1, openFrom = 0, openTo = 0;  // a run of pixels of one colour that is not painted yet
      const paint = () => {
        if (open < 0) return;
        context.fillStyle = shades[open];
        context.fillRect(openFrom, y + 2, openTo - openFrom, rowHeight - 4);
        open = -1;
      };
      for (let i = firstEnding(first[row], last, this.from); i < last && begin[i] < this.to;) {
        const x = Math.max(left, left + (begin[i] - this.from) * scale), right = Math.min(width, left + (end[i] - this.from) * scale);
        if (right - x < 1.5) {
          const pixel = Math.max(left, 2 * Math.floor(x / 2));
          if (open !== kind[i] || pixel > openTo) {
            paint();
            open = kind[i];
            openFrom = pixel;
          }
          openTo = pixel + (right - x < 1 ? 2 : 1);
          i = Math.max(i + 1, firstEnding(i + 1, last, this.from + (openTo - left) / scale));
          continue;
        }
        paint();
        context.fillStyle = shades[kind[i]];
        context.fillRect(x, y + 2, Math.max(1, right - x - (right - x > 4 ? 1 : 0)), rowHeight - 4);
        if (right - x > 34) {
          context.fillStyle = P.onTop(shades[kind[i]]);
          context.fillText(P.fitted(context, data.names[data.name[i]], right - x - 8), x + 4, y + rowHeight / 2);
        }
        ++i;
      }
      paint();
      context.fillStyle = colours.line;
      context.fillRect(left, y + rowHeight - 1, width - left, 0.5);
    }

    axis(context, width, height, colours) {
      context.fillStyle = colours.quiet;
      context.strokeStyle = colours.line;
      context.lineWidth = 1;
      context.textAlign = 'center';
      context.beginPath();
      const ticks = P.ticks(this.from, this.to, (width - this.left) / 110);
      const step = ticks.length > 1 ? ticks[1] - ticks[0] : this.to;
      for (const tick of ticks) {
        const x = Math.round(this.left + (tick - this.from) / (this.to - this.from) * (width - this.left)) + 0.5;
        // Deep in, a tick says how far it is from the first one in sight
        const near = this.from > 500 * step ? '+' + P.time(tick - ticks[0]) : P.time(tick);
        context.fillText(near, Math.min(width - 24, x), overviewHeight + axisHeight / 2);
        context.moveTo(x, above - 4);
        context.lineTo(x, height);
      }
      context.stroke();
      context.textAlign = 'left';
      if (this.from > 500 * step && ticks.length) context.fillText(`from ${P.time(ticks[0])}`, 4, overviewHeight + axisHeight / 2);
    }

    scrollbar(context, width, height, colours) {
      const room = height - above, full = this.index.lines.length * rowHeight;
      if (full <= room) return;
      context.fillStyle = colours.quiet;
      context.globalAlpha = 0.6;
      context.fillRect(width - 4, above + room * this.top / full, 4, Math.max(12, room * room / full));
      context.globalAlpha = 1;
    }

    // All of it, small: how many of the rows are busy when. Made once; then a window over it.
    drawOverview(context, width, colours) {
      const wide = Math.floor(width - this.left);
      this.overview = this.overview || helio.spans.busy(this.index, wide, this.whole);
      context.fillStyle = colours.quiet;
      context.textAlign = 'left';
      context.fillText(P.fitted(context, overviewName, this.left - 14), 10, overviewHeight / 2);
      context.globalAlpha = 0.65;
      context.fillStyle = colours.accent;
      for (let x = 0; x < wide; ++x) {
        if (this.overview[x] === 0) continue;
        const tall = Math.max(1, this.overview[x] * (overviewHeight - 6));
        context.fillRect(this.left + x, overviewHeight - 2 - tall, 1, tall);
      }
      context.globalAlpha = 1;
      context.strokeStyle = colours.ink;
      context.lineWidth = 1.5;
      const a = this.left + this.from / this.whole * wide, b = this.left + this.to / this.whole * wide;
      context.strokeRect(a + 1, 2, Math.max(3, b - a - 2), overviewHeight - 3);
    }

    // Hands

    listen(canvas) {
      Object.assign(canvas, {tabIndex: 0});
      canvas.setAttribute('role', 'application');
      canvas.setAttribute('aria-label', `${this.page.figure.title}. ${this.page.figure.words} Plus and minus zoom, arrows pan, 0 shows all.`);
      Object.assign(canvas.style, {touchAction: 'none', cursor: 'grab'});
      canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        const [x] = P.at(canvas, event);
        if (event.shiftKey) this.scroll(event.deltaY || event.deltaX);
        else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan(event.deltaX / this.width);
        else this.zoom(Math.exp(Math.max(-100, Math.min(100, event.deltaY)) * 0.004), this.time(Math.max(this.left, x)));
      }, {passive: false});
      canvas.addEventListener('pointerdown', (event) => {
        canvas.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, P.at(canvas, event));
        this.onOverview = P.at(canvas, event)[1] < overviewHeight;
        if (this.onOverview) this.jump(P.at(canvas, event)[0]);
      });
      canvas.addEventListener('pointermove', (event) => this.moved(canvas, event));
      for (const name of ['pointerup', 'pointercancel', 'pointerleave']) canvas.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
      canvas.addEventListener('pointerleave', () => this.page.hideTip());
      canvas.addEventListener('keydown', (event) => {
        const act = {'+': () => this.zoom(0.5), '=': () => this.zoom(0.5), '-': () => this.zoom(2), '0': () => this.show(0, this.whole),
                     ArrowLeft: () => this.pan(-0.1), ArrowRight: () => this.pan(0.1), ArrowUp: () => this.scroll(-rowHeight * 2),
                     ArrowDown: () => this.scroll(rowHeight * 2), PageUp: () => this.scroll(-300), PageDown: () => this.scroll(300),
                     Home: () => this.show(0, this.to - this.from), End: () => this.show(this.whole - (this.to - this.from), this.whole)}[event.key];
        if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        act();
      });
    }
    jump(x) {
      const middle = (x - this.left) / (this.width - this.left) * this.whole, half = (this.to - this.from) / 2;
      this.show(middle - half, middle + half);
    }
    moved(canvas, event) {
      const now = P.at(canvas, event), before = this.pointers.get(event.pointerId);
      if (!before) return this.point(event, ...now);
      this.page.hideTip();
      this.pointers.set(event.pointerId, now);
      if (this.onOverview) return this.jump(now[0]);
      if (this.pointers.size === 2) {
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
        const was = Math.max(8, Math.abs(before[0] - other[0])), is = Math.max(8, Math.abs(now[0] - other[0]));
        return this.zoom(was / is, this.time((now[0] + other[0]) / 2));
      }
      this.pan((before[0] - now[0]) / (this.width - this.left));
      this.scroll(before[1] - now[1]);
    }
    point(event, x, y) {
      const {first, begin, end, data, firstEnding} = this.index, line = this.lineAt(y);
      if (!line || line.row === undefined) return this.page.hideTip();
      const row = line.row;
      if (x < this.left) return this.page.tip(event.clientX, event.clientY, data.rows[row]);
      const i = firstEnding(first[row], first[row + 1], this.time(x - 1));
      if (i >= first[row + 1] || begin[i] > this.time(x + 1)) return this.page.hideTip();
      const rounds = data.rounds ? data.rounds[i] : 1;
      this.page.tip(event.clientX, event.clientY,
                    `${data.names[data.name[i]]}\n${data.rows[row]}\nbegins at ${P.time(begin[i])}, takes ${P.time(end[i] - begin[i])}` +
                    (rounds > 1 ? `\n${rounds.toLocaleString('en-US')} equal rounds` : ''));
    }
  }

  helio.register('timeline', (host, data, page) => {
    host.timeline = new Timeline(host, data, page);
  });

  const measured = {series: ['#0072b2', '#c24e00', '#00795a'], ink: '#222222', paper: '#ffffff', line: '#cccccc', quiet: '#666666', accent: '#0072b2'};

  helio.timeline = {
    benchmark(host, spans = 100000, frames = 60) {
      const page = {colours: () => measured, onTheme() {}, tip() {}, hideTip() {}, button: (at, label) => P.html(at, 'button', label), figure: {title: '', words: ''}};
      const data = helio.spans.madeUp(spans), start = performance.now();
      const timeline = new Timeline(host, data, page), index = performance.now() - start;
      let worst = 0, sum = 0;
      for (let f = 0; f < frames; ++f) {
        const width = 10 ** (-6 * f / frames);
        const begin = performance.now();
        timeline.from = (1 - width) * ((f * 13) % 10) / 10;
        timeline.to = timeline.from + width;
        timeline.top = (f * 37) % Math.max(1, (timeline.index.lines.length - 20) * rowHeight);
        timeline.view.redraw();
        timeline.view.context.getImageData(0, 0, 1, 1);
        const took = performance.now() - begin;
        sum += took;
        worst = Math.max(worst, took);
      }
      return {spans: data.begin.length, frames, mean_ms: sum / frames, worst_ms: worst, index_ms: index};
    },
  };
})();
