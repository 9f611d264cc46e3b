// Requests by route: in the last minute, or since the server started.
import { isFailure } from './alerts.js';
import { figures, increase, quantile, span, watch } from './metrics.js';
import { bytes, number } from './texts.js';
import { emptyState, errorState, fill, h } from './view.js';

const REQUESTS = 'neuroviews_http_requests_total', DURATIONS = 'neuroviews_http_request_duration_seconds';
const COLUMNS = ['Requests', 'Failed', 'Half faster than', '99 % faster than', 'Received', 'Sent'];
let isMinute = true;

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ signal }) {
    const box = h('div', { class: 'stack' });
    const draw = () => {
        const instead = table();
        if (instead) fill(box, instead); else if (region.parentElement !== box) fill(box, late, region);
    };
    const choice = (name, value) => h('button', { type: 'button', class: 'button', 'aria-pressed': String(isMinute === value), onclick: ({ currentTarget }) => {
        isMinute = value;
        for (const button of currentTarget.parentElement.children) button.ariaPressed = String(button === currentTarget);
        draw();
    } }, name);
    await watch(draw, signal);
    const tabs = h('div', { class: 'tabs', role: 'group', 'aria-label': 'Time' }, choice('Last minute', true), choice('Since the start', false));
    return { title: 'Requests', content: h('div', { class: 'page' }, h('div', { class: 'page-head' }, h('h1', null, 'Requests'), h('div', { class: 'actions' }, tabs)), box) };
}
const milliseconds = (seconds) => seconds === null ? '–' : seconds < 1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(1)} s`;
/** Rows of routes that had requests, the busiest first. */
function routes() {
    const { last, before } = span(), base = isMinute ? before : null;
    if (!last || isMinute && !before) return [];
    const pairs = new Map([...last.series.get(REQUESTS)?.values() ?? []].map(({ labels }) => [`${labels.method} ${labels.route}`, labels]));
    return [...pairs].map(([name, { method, route }]) => {
        const mine = (labels) => labels.route === route && labels.method === method, grown = (metric, match = mine) => increase(base, last, metric, match);
        return { name, count: grown(REQUESTS), failed: grown(REQUESTS, (labels) => mine(labels) && isFailure(labels)),
            median: quantile(base, last, DURATIONS, 0.5, mine), slow: quantile(base, last, DURATIONS, 0.99, mine),
            received: grown('neuroviews_http_request_body_bytes_total'), sent: grown('neuroviews_http_response_body_bytes_total') };
    }).filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
}
const cell = (text) => h('td', { class: 'number' }, text);
const row = ({ name, count, failed, median, slow, received, sent }) => h('tr', { 'data-test': 'route-row' }, h('th', { scope: 'row', class: 'mono' }, name), cell(number(count)),
    h('td', { class: `number${failed > 0 ? ' error' : ''}` }, number(failed)), cell(milliseconds(median)), cell(milliseconds(slow)), cell(bytes(received)), cell(bytes(sent)));
/** Made once: a region that somebody has scrolled, or that has the focus, stays. */
const body = h('tbody'), late = h('div');
const region = h('div', { class: 'scroll card', tabindex: 0, role: 'region', 'aria-label': 'Requests by route' }, h('table', { class: 'table' },
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Route'), COLUMNS.map((name) => h('th', { scope: 'col', class: 'number' }, name)))), body));
/** What stands in the place of the table, or nothing. */
function table() {
    const { last, before } = span(), rows = routes();
    if (!last) return figures.problem ? errorState(figures.problem) : emptyState({ title: 'No figures yet' });
    if (isMinute && !before) return h('p', { class: 'muted' }, 'The second reading follows in 5 s.');
    const never = isMinute ? 'Nobody asked for anything in the last minute.' : 'Nobody has asked for anything since the server started.';
    if (rows.length === 0) return emptyState({ title: 'No requests', text: never });
    fill(late, figures.problem && h('div', { class: 'note warn' }, 'The server does not answer. These are the last figures.'));
    fill(body, rows.map(row));
    return null;
}
