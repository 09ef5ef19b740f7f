// SPDX-License-Identifier: Apache-2.0
// The spans of a timeline, so that what is in sight is found without looking at the rest. Comes before timeline.js, which says what the
// data are.
//
//     helio.spans.indexed(data)   {begin, end, kind, first, lines, firstEnding(low, high, time), data}: lines are what stands below each
//                                 other in the picture, {title} of a group or {row}
//     helio.spans.busy(index, parts, whole)   how many rows are busy in each part of the time, as shares of the most
//     helio.spans.madeUp(count)   data of a timeline with so many spans, for measuring; always the same
'use strict';

helio.spans = (() => {
  // The data in typed arrays, and in each row the first span that ends after a time by bisection.
  function indexed(data) {
    const count = data.begin.length;
    const begin = Float64Array.from(data.begin), end = new Float64Array(count);
    for (let i = 0; i < count; ++i) end[i] = begin[i] + data.duration[i];
    const lines = [];  // what stands in each line of the picture: a group's title, or a row
    let row = 0;
    for (const [title, rows] of data.groups) {
      lines.push({title});
      for (let i = 0; i < rows; ++i) lines.push({row: row++});
    }
    const firstEnding = (low, high, time) => {
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (end[middle] > time) high = middle;
        else low = middle + 1;
      }
      return low;
    };
    return {data, begin, end, lines, firstEnding, first: Uint32Array.from(data.first), kind: Uint16Array.from(data.class)};
  }

  function madeUp(spans) {
    const rows = Math.max(1, Math.min(1000, Math.round(spans / 1000))), data = {end: 1, groups: [['benchmark', rows]], rows: [], first: [0], names: ['forward', 'send', 'reduce'],
                  classes: ['compute', 'send', 'reduce'], name: [], class: [], begin: [], duration: [], cut: false};
    for (let r = 0, i = 0; r < rows; ++r) {
      data.rows.push(`row ${r}`);
      const here = Math.round(spans * (r + 1) / rows) - i;
      for (let k = 0; k < here; ++k, ++i) {
        data.name.push(i % 3);
        data.class.push(i % 3);
        data.begin.push(k / here);
        data.duration.push((0.2 + 0.7 * ((i * 7919) % 100) / 100) / here);
      }
      data.first.push(i);
    }
    return data;
  }

  // How many of the rows are busy in each of so many equal parts of the whole time, as shares of the most. Of many rows, two hundred.
  function busy({first, begin, end, data}, parts, whole) {
    const sum = new Float64Array(parts), rows = data.rows.length, every = Math.max(1, Math.floor(rows / 200));
    for (let r = 0; r < rows; r += every)
      for (let i = first[r]; i < first[r + 1]; ++i) {
        const from = begin[i] / whole * parts, to = Math.min(parts, end[i] / whole * parts);
        for (let x = Math.floor(from); x < to; ++x) sum[x] += Math.min(to, x + 1) - Math.max(from, x);
      }
    const peak = sum.reduce((a, b) => Math.max(a, b), 1e-9);
    return sum.map((b) => b / peak);
  }

  return {indexed, busy, madeUp};
})();
