// SPDX-License-Identifier: Apache-2.0
// What the domain's own pictures share: text for quantities, controls with labels, a canvas that keeps sharp. Comes after page.js
// and before the modules that draw.
//
//     P.time(s), P.bytes(b)               "225 us", "1 MB": four digits and the unit that keeps them between 1 and 1000
//     P.ticks(from, to, count)            round numbers between
//     P.html(parent, tag, text, attributes), P.svg(parent, tag, attributes, text)
//     P.onTop(colour)                     black or white, whichever reads better on it
//     P.shade(colours, i)                 the i-th colour of many: those of the page, then lighter and darker ones of them
//     P.bar(host)                         a row for controls
//     P.slider(bar, label, count, say, change)   a range with its value in words and buttons to step; returns {value(), set(i)}
//     P.choice(bar, label, names, change)        a <select>
//     P.canvas(host, page, height, draw)         draw(context, width, height, colours); returns {element, redraw, again}
//     P.pointed(page, element, find)             find(x, y) → text or null: the box beside the pointer
//     P.walked(element, page, count, chosen, choose)   the same by keyboard, mark after mark; choose(i) → text
//     P.legend(host)                             set([[colour, text], …])
'use strict';

helio.picture = (() => {
  const P = {};

  function scaled(value, unit, prefixes) {
    if (value === 0) return '0 ' + unit;
    const list = Object.entries(prefixes);
    const [prefix, factor] = list.find(([, f]) => Math.abs(value) >= f * 0.9999999) || list[list.length - 1];
    return Number((value / factor).toPrecision(4)) + ' ' + prefix + unit;
  }
  P.time = (s) => scaled(s, 's', {'': 1, m: 1e-3, u: 1e-6, n: 1e-9, p: 1e-12, f: 1e-15});
  P.bytes = (b) => scaled(b, 'B', {T: 1e12, G: 1e9, M: 1e6, k: 1e3, '': 1});
  P.count = (n, one, many) => n.toLocaleString('en-US') + ' ' + (n === 1 ? one : many || one + 's');

  P.ticks = (from, to, count) => {
    const rough = (to - from) / Math.max(1, count);
    if (!(rough > 0)) return [];
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((f) => f * power >= rough * 0.999) * power;
    const found = [];
    for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; ++i) found.push(i * step);
    return found;
  };

  P.html = (parent, tag, text, attributes) => {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    if (parent) parent.append(element);
    return element;
  };
  P.svg = (parent, tag, attributes, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };

  // Colours

  const parsed = (colour) => {
    const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour);
    return hex ? hex.slice(1).map((c) => parseInt(c, 16)) : (colour.match(/[\d.]+/g) || [0, 0, 0]).slice(0, 3).map(Number);
  };
  const luminance = (colour) => {
    const [r, g, b] = parsed(colour).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  P.isDark = (colours) => luminance(colours.paper) < 0.2;
  P.onTop = (colour) => (luminance(colour) > 0.179 ? '#000000' : '#ffffff');
  P.mix = (a, b, part) => {
    const x = parsed(a), y = parsed(b);
    return '#' + x.map((c, i) => Math.round(c + (y[i] - c) * part).toString(16).padStart(2, '0')).join('');
  };
  // Grey is for what is idle.
  P.shade = (colours, i) => {
    const series = colours.series.filter((_, k) => k !== 6), turn = Math.floor(i / series.length) % 3, base = series[i % series.length];
    return turn === 0 ? base : P.mix(base, turn === 1 ? colours.ink : colours.paper, 0.4);
  };
  // Light to dark, even steps of lightness ("viridis" of van der Walt and Smith, 2015).
  const scale = ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'];
  P.viridis = (at) => {
    const x = Math.min(1, Math.max(0, at)) * (scale.length - 1), low = Math.min(Math.floor(x), scale.length - 2);
    return P.mix(scale[low], scale[low + 1], x - low);
  };
  // Blue below zero, orange above, the paper at zero.
  P.diverging = (at, colours) => P.mix(colours.paper, at < 0 ? '#0072b2' : '#d55e00', Math.min(1, Math.abs(at)));

  // Controls

  P.bar = (host) => {
    const bar = P.html(host, 'div', null, {class: 'controls'});
    Object.assign(bar.style, {display: 'flex', flexWrap: 'wrap', gap: '0.4rem 0.8rem', alignItems: 'center', margin: '0.3rem 0'});
    return bar;
  };

  P.choice = (bar, label, names, change) => {
    const around = P.html(bar, 'label', label + ' ');
    const select = P.html(around, 'select');
    names.forEach((name, i) => P.html(select, 'option', name, {value: i}));
    select.addEventListener('change', () => change(Number(select.value)));
    return select;
  };

  P.slider = (bar, label, count, say, change) => {
    const around = P.html(bar, 'label', label + ' ');
    const range = P.html(around, 'input', null, {type: 'range', min: 0, max: Math.max(0, count - 1), step: 1, value: 0});
    Object.assign(range.style, {verticalAlign: 'middle', padding: '0'});
    range.style.width = Math.min(320, 90 + 12 * count) + 'px';
    const words = P.html(null, 'output');
    const show = () => {
      words.textContent = say(Number(range.value));
      range.setAttribute('aria-valuetext', words.textContent);
    };
    const set = (i) => {
      range.value = Math.min(count - 1, Math.max(0, i));
      show();
      change(Number(range.value));
    };
    range.addEventListener('input', () => set(Number(range.value)));
    for (const [sign, by, name] of [['◀', -1, 'previous'], ['▶', 1, 'next']]) {
      const button = P.html(bar, 'button', sign, {type: 'button', 'aria-label': `${name} ${label}`});
      button.addEventListener('click', () => set(Number(range.value) + by));
    }
    bar.append(words);
    if (count < 2) range.disabled = true;
    show();
    return {set, value: () => Number(range.value), range};
  };

  P.legend = (host) => {
    const legend = P.html(host, 'ul', null, {class: 'legend'});
    Object.assign(legend.style, {listStyle: 'none', padding: '0', margin: '0.4rem 0', display: 'flex', flexWrap: 'wrap', gap: '0.2rem 1rem', fontSize: '0.85em'});
    return {
      set(entries) {
        legend.textContent = '';
        for (const [colour, text] of entries) {
          const item = P.html(legend, 'li');
          const swatch = P.html(item, 'span');
          Object.assign(swatch.style, {display: 'inline-block', width: '0.9em', height: '0.9em', background: colour, marginRight: '0.35em', verticalAlign: '-0.08em'});
          item.append(text);
        }
      },
    };
  };

  // A canvas as wide as its host, redrawn at most once a frame, when it is resized and when the theme changes. `height` may be a
  // function of the width.
  P.canvas = (host, page, height, draw) => {
    const element = P.html(host, 'canvas');
    Object.assign(element.style, {display: 'block', width: '100%'});
    const context = element.getContext('2d');
    let waiting = false, width = 0, tall = 0;
    const redraw = () => {
      waiting = false;
      const ratio = window.devicePixelRatio || 1;
      const wide = Math.max(200, Math.floor(host.clientWidth || 800));
      const high = Math.round(typeof height === 'function' ? height(wide) : height);
      if (element.width !== Math.round(wide * ratio) || element.height !== Math.round(high * ratio)) {
        element.width = Math.round(wide * ratio);
        element.height = Math.round(high * ratio);
        element.style.height = high + 'px';
      }
      width = wide;
      tall = high;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, wide, high);
      draw(context, wide, high, page.colours());
    };
    const again = () => {
      if (!waiting) requestAnimationFrame(redraw);
      waiting = true;
    };
    redraw();
    if (window.ResizeObserver) new ResizeObserver(() => host.clientWidth !== width && again()).observe(host);
    page.onTheme(redraw);
    return {element, redraw, again, context, size: () => [width, tall]};
  };

  P.at = (element, event) => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  P.pointed = (page, element, find) => {
    element.addEventListener('pointermove', (event) => {
      const text = find(...P.at(element, event));
      if (text) page.tip(event.clientX, event.clientY, text);
      else page.hideTip();
    });
    element.addEventListener('pointerleave', () => {
      find(-1, -1);
      page.hideTip();
    });
  };

  // Left and right go from mark to mark of a picture and say what each is: what pointing does, by keyboard. Escape lets go.
  P.walked = (element, page, count, chosen, choose) => {
    element.tabIndex = 0;
    const said = P.html(null, 'p', '', {class: 'said', 'aria-live': 'polite'});
    Object.assign(said.style, {margin: '0.2rem 0', minHeight: '1.3em', whiteSpace: 'pre-wrap'});
    element.after(said);
    const go = (i) => {
      const text = choose(i);
      said.textContent = text ? text.replaceAll('\n', '; ') : '';
    };
    element.addEventListener('keydown', (event) => {
      const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (by && count() > 0) go(chosen() < 0 ? (by > 0 ? 0 : count() - 1) : (chosen() + by + count()) % count());
      else if (event.key === 'Escape') go(-1);
      else return;
      event.preventDefault();
    });
    element.addEventListener('blur', () => go(-1));
  };

  // Text that ends in … where it would be wider than `width`.
  P.fitted = (context, text, width) => {
    if (context.measureText(text).width <= width) return text;
    let low = 0, high = text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (context.measureText(text.slice(0, middle) + '…').width <= width) low = middle;
      else high = middle - 1;
    }
    return low > 0 ? text.slice(0, low) + '…' : '';
  };

  return P;
})();
