// SPDX-License-Identifier: Apache-2.0
// Ordinary charts, drawn by Chart.js. Data (src/report/figures/chart.h, stacked.h):
//
//     sweep, curves, scatter   {x_label, y_label, log_x, log_y, series: [{name, published, joined, points: [[x, y], …], labels}]}
//     bars                     the same with cases: [name, …]; x = 1 is the first case
//     stacked                  {value_label, bars: [name, …], parts: [{name, values: [one for each bar]}]}
//
// Published values are hollow and in the ink of the page; ours are filled, a shape and a colour for each series. A log axis leaves out
// what it cannot show.
'use strict';

(() => {
  const shapes = ['circle', 'rect', 'triangle', 'rectRot'];
  const mostTicks = 10;
  const longestUpright = 20;  // letters of a case's name below its bars

  function shown(value, log) {
    return value !== null && Number.isFinite(value) && (!log || value > 0);
  }

  function short(value) {
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-3) return value.toExponential(2).replace(/\.?0*e/, 'e').replace('e+', 'e');
    return String(Number(value.toPrecision(4)));
  }

  // 1, 10, 100, …; with 2 and 5 of each where there are few powers.
  function logTicks(low, high) {
    const factors = Math.log10(high / low) < 2.5 ? [1, 2, 5] : [1];
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) {
      for (const factor of factors) {
        const value = Number((factor * 10 ** power).toPrecision(3));
        if (value >= low && value <= high) found.push(value);
      }
    }
    return found.length > 1 ? found : [low, high];
  }

  // Room at both ends; the few values of x of a sweep are its ticks.
  function axis(label, log, values, colours) {
    const own = [...new Set(values)].sort((a, b) => a - b);
    const scale = {
      type: log ? 'logarithmic' : 'linear',
      title: {display: true, text: label, color: colours.ink},
      grid: {color: colours.line, borderColor: colours.quiet},
      ticks: {color: colours.quiet, maxRotation: 0, autoSkipPadding: 12, callback: short},
    };
    if (!log || own.length === 0) return scale;
    scale.min = own[0] / 1.15;
    scale.max = own[own.length - 1] * 1.15;
    scale.afterBuildTicks = (at) => {
      const apart = own.every((value, i) => i === 0 || value / own[i - 1] > 1.25);  // labels must not run into each other
      const ticks = at.axis === 'x' && apart && own.length <= mostTicks ? own : logTicks(at.min, at.max);
      at.ticks = ticks.map((value) => ({value}));
    };
    return scale;
  }

  function legend(colours, published) {
    return {
      position: 'bottom', align: 'start',
      labels: {color: colours.ink, usePointStyle: published !== 'box', boxWidth: 8, boxHeight: 8, padding: 10},
    };
  }

  function paint(dataset, series, index, colours) {
    const colour = series.published ? colours.ink : colours.series[index % colours.series.length];
    dataset.borderColor = colour;
    dataset.pointBorderColor = colour;
    dataset.pointBackgroundColor = series.published ? colours.paper : colour;
    dataset.backgroundColor = dataset.bar ? (series.published ? colours.paper : colour) : dataset.pointBackgroundColor;
  }

  function valueTip(data, kind) {
    return {
      callbacks: {
        title: () => '',
        label(item) {
          const series = data.series[item.datasetIndex];
          if (!series) return item.dataset.label;
          const x = kind === 'bars' ? data.cases[item.dataIndex] : `${data.x_label} ${short(item.raw.x)}`;
          const y = kind === 'bars' ? item.raw : item.raw.y;
          return [`${series.name}: ${x}, ${data.y_label} ${short(y)}`].concat(item.raw && item.raw.label ? [item.raw.label] : []);
        },
      },
    };
  }

  function options(colours, more) {
    return {
      responsive: true, maintainAspectRatio: false, animation: false, color: colours.ink,
      interaction: {mode: 'nearest', intersect: true}, ...more,
    };
  }

  function canvasIn(host, tall) {
    const plot = document.createElement('div');
    plot.className = 'plot';
    if (tall) plot.style.height = tall + 'px';
    const canvas = document.createElement('canvas');
    plot.append(canvas);
    host.append(plot);
    return canvas;
  }

  // Made again when the theme changes: Chart.js keeps colours in many places.
  function keep(host, page, make, tall) {
    const canvas = canvasIn(host, tall);
    let chart = new Chart(canvas, make(page.colours()));
    page.onTheme(() => {
      chart.destroy();
      chart = new Chart(canvas, make(page.colours()));
    });
  }

  // Room for the legend, which grows with the series.
  function heightFor(series) {
    const letters = series.reduce((sum, one) => sum + one.name.length + 6, 0);
    return 330 + 22 * Math.ceil(letters / 75);
  }

  function points(host, data, page) {
    const kind = page.figure.kind;
    const visible = data.series.map((series) => series.points
        .map(([x, y], i) => ({x, y, label: series.labels && series.labels[i]}))
        .filter((point) => shown(point.x, data.log_x) && shown(point.y, data.log_y)));
    const xs = visible.flat().map((point) => point.x), ys = visible.flat().map((point) => point.y);
    keep(host, page, (colours) => {
      const datasets = data.series.map((series, i) => {
        const dataset = {
          label: series.name, data: visible[i], showLine: series.joined && !series.published && kind !== 'scatter',
          borderWidth: 1.75, pointBorderWidth: 1.75, pointStyle: shapes[i % shapes.length], order: series.published ? 0 : 1,
          pointRadius: kind === 'curves' ? 0 : series.published ? 5 : 3.5, pointHitRadius: 8, pointHoverRadius: 6,
        };
        paint(dataset, series, i, colours);
        return dataset;
      });
      if (kind === 'scatter' && xs.length) {
        const ends = [Math.min(...xs, ...ys), Math.max(...xs, ...ys)];
        datasets.push({
          label: 'both alike', data: ends.map((v) => ({x: v, y: v})), showLine: true, borderDash: [6, 4], borderWidth: 1.5,
          pointRadius: 0, borderColor: colours.quiet, backgroundColor: colours.quiet, order: 2,
        });
      }
      const both = kind === 'scatter' ? xs.concat(ys) : null;
      return {
        type: 'scatter', data: {datasets},
        options: options(colours, {
          scales: {x: axis(data.x_label, data.log_x, both || xs, colours), y: axis(data.y_label, data.log_y, both || ys, colours)},
          plugins: {legend: legend(colours), tooltip: valueTip(data, kind)},
        }),
      };
    }, heightFor(data.series));
  }

  // Upright groups, or lying ones where the names of cases are long.
  function bars(host, data, page) {
    const values = data.series.map((series) => data.cases.map((name, i) => {
      const point = series.points.find(([x]) => x === i + 1);
      return point && shown(point[1], data.log_y) ? point[1] : null;
    }));
    const lying = data.cases.some((name) => name.length > longestUpright);
    const alone = data.cases.every((name, i) => values.filter((list) => list[i] !== null).length <= 1);
    keep(host, page, (colours) => {
      const scale = axis(data.y_label, data.log_y, values.flat().filter((v) => v !== null), colours);
      if (data.log_y && scale.min) scale.min /= 1.5;
      const names = {
        title: {display: !lying, text: data.x_label, color: colours.ink}, grid: {display: false, borderColor: colours.quiet},
        ticks: {color: lying ? colours.ink : colours.quiet, autoSkip: false, maxRotation: 60},
      };
      return {
        type: 'bar',
        data: {
          labels: data.cases,
          datasets: data.series.map((series, i) => {
            const dataset = {
              label: series.name, data: values[i], bar: true, borderWidth: series.published ? 1.75 : 0, minBarLength: 2,
              maxBarThickness: lying ? 14 : 34, grouped: !alone,
            };
            paint(dataset, series, i, colours);
            return dataset;
          }),
        },
        options: options(colours, {
          indexAxis: lying ? 'y' : 'x',
          scales: lying ? {x: scale, y: names} : {x: names, y: scale},
          plugins: {legend: legend(colours, 'box'), tooltip: valueTip(data, 'bars')},
        }),
      };
    }, lying ? 110 + data.cases.length * (alone ? 24 : 10 + 16 * data.series.length) : heightFor(data.series));
  }

  function stacked(host, data, page) {
    const totals = data.bars.map((name, i) => data.parts.reduce((sum, part) => sum + part.values[i], 0));
    keep(host, page, (colours) => ({
      type: 'bar',
      data: {
        labels: data.bars,
        datasets: data.parts.map((part, i) => ({
          label: part.name, data: part.values, backgroundColor: colours.series[i % colours.series.length], borderColor: colours.paper,
          borderWidth: {right: 1}, maxBarThickness: 44,
        })),
      },
      options: options(colours, {
        indexAxis: 'y',
        scales: {
          x: {stacked: true, title: {display: true, text: data.value_label, color: colours.ink}, grid: {color: colours.line, borderColor: colours.quiet}, ticks: {color: colours.quiet, callback: short}},
          y: {stacked: true, grid: {display: false, borderColor: colours.quiet}, ticks: {color: colours.ink, autoSkip: false}},
        },
        plugins: {
          legend: legend(colours, 'box'),
          tooltip: {callbacks: {label: (item) => `${item.dataset.label}: ${short(item.raw)}, ${(100 * item.raw / totals[item.dataIndex]).toFixed(1)} %`}},
        },
      }),
    }), 110 + 40 * data.bars.length + 26 * Math.ceil(data.parts.length / 5));
  }

  for (const kind of ['sweep', 'curves', 'scatter']) helio.register(kind, points);
  helio.register('bars', bars);
  helio.register('stacked', stacked);
})();
