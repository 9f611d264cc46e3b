// Charts as SVG, each with a title, a description and its table: nothing is told by a shape or a colour alone.
import { fill, h } from './view.js';

let count = 0;
const WIDTH = 720, HEIGHT = 160;

/**
 * Bars over time or over names.
 * @param {{ title: string, description: string, rows: { label: string, value: number, text?: string, tick?: string }[], head: [string, string] }} options
 *   `text` is the value in words, `tick` a short label below the bar.
 */
export function bars({ title, description, rows, head }) {
    const id = `chart-${++count}`, top = Math.max(...rows.map((row) => row.value), 0), step = WIDTH / Math.max(rows.length, 1);
    const shown = rows.map((row, index) => {
        const size = top ? Math.max(row.value / top * (HEIGHT - 8), row.value ? 2 : 0) : 0;
        return h('svg:rect', { class: 'bar', x: index * step + step * 0.1, width: step * 0.8, y: HEIGHT - size, height: size },
            h('svg:title', null, `${row.label}: ${row.text ?? row.value}`));
    });
    const highest = rows.find((row) => row.value === top), every = Math.max(1, Math.ceil(rows.length / 6));
    return h('figure', { class: 'figure' },
        h('figcaption', null, h('strong', null, title), highest && top > 0 && h('span', { class: 'small muted' }, `Most: ${highest.text ?? top}, ${highest.label}`)),
        h('svg:svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-labelledby': `${id}-title ${id}-text` },
            h('svg:title', { id: `${id}-title` }, title), h('svg:desc', { id: `${id}-text` }, description),
            h('svg:line', { class: 'axis', x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT }), shown),
        h('div', { class: 'ticks', 'aria-hidden': 'true', vars: { '--part': `${every / rows.length * 100}%` } }, rows.filter((row, index) => index % every === 0).map((row) => h('span', null, row.tick ?? row.label))),
        table(title, head, rows));
}

/** The values of a chart, made when it is opened. */
function table(title, head, rows) {
    const place = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Table: ${title}` });
    const row = ({ label, value, text }) => h('tr', null, h('th', { scope: 'row', dir: 'auto' }, label), h('td', { class: 'number' }, text ?? String(value)));
    const open = () => place.firstChild ?? fill(place, h('table', { class: 'table' },
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, head[0]), h('th', { scope: 'col', class: 'number' }, head[1]))), h('tbody', null, rows.map(row))));
    return h('details', { ontoggle: open }, h('summary', null, 'Table', h('span', { class: 'visually-hidden' }, ` of ${title}`)), place);
}

/** Shares of a whole, largest first: a row each, readable as a list. @param {{ title: string, rows: { label: string, value: number, text?: string }[] }} options */
export function shares({ title, rows }) {
    const top = Math.max(...rows.map((row) => row.value), 1);
    return h('section', { class: 'card stack' }, h('h3', null, title), rows.length === 0 && h('p', { class: 'muted' }, 'Nothing in these days.'),
        h('ul', { class: 'shares' }, rows.map((row) => h('li', null, h('span', { dir: 'auto' }, row.label), h('span', { class: 'number' }, row.text ?? String(row.value)),
            h('span', { class: 'track', 'aria-hidden': 'true' }, h('i', { vars: { '--part': `${row.value / top * 100}%` } }))))));
}

/** A line without axes beside a figure. @param {(number|null)[]} values oldest first; null where nothing was read @param {{ title: string }} options */
export function sparkline(values, { title }) {
    const known = values.filter((value) => value !== null), low = Math.min(...known, 0), high = Math.max(...known, low + 1e-9);
    const point = (value, index) => `${(index / Math.max(values.length - 1, 1) * 120).toFixed(1)},${(30 - (value - low) / (high - low) * 28).toFixed(1)}`;
    const runs = values.reduce((all, value, index) => {
        if (value === null) all.push([]); else all[all.length - 1].push(point(value, index));
        return all;
    }, /** @type {string[][]} */ ([[]]));
    return h('svg:svg', { class: 'sparkline', viewBox: '0 0 120 32', role: 'img', 'aria-label': title },
        runs.filter((run) => run.length > 0).map((run) => h('svg:polyline', { points: run.join(' ') })));
}

/** How much of a limit is used. @param {string} label @param {number} used @param {number|null} limit @param {string} text */
export function meter(label, used, limit, text) {
    const id = `meter-${++count}`, part = limit ? Math.min(used / limit, 1) : 0;
    return h('div', { class: `meter${part >= 0.9 ? ' full' : ''}` }, h('span', { id }, label), h('span', { class: 'number muted' }, text),
        limit !== null && h('span', { class: 'track', role: 'meter', 'aria-labelledby': id, 'aria-valuemin': 0, 'aria-valuemax': limit, 'aria-valuenow': used, 'aria-valuetext': text },
            h('i', { vars: { '--part': `${part * 100}%` } })));
}
