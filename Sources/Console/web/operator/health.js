// Is the server well? One sentence with its remedy, figures of the last minute, and the doctor.
import { call } from './calls.js';
import { earlier, isFailure, troubledAt, troubles } from './alerts.js';
import { sparkline } from './chart.js';
import { figures, increase, quantile, span, started, sum, watch } from './metrics.js';
import { bytes, dateTime, number, plural, relative } from './texts.js';
import { announce, errorState, fill, h, icon } from './view.js';

const REQUESTS = 'neuroviews_http_requests_total', pointsMost = 60;
const milliseconds = (seconds) => seconds < 0.01 ? `${(seconds * 1000).toFixed(1)} ms` : seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
const isWaiting = ({ state }) => state === 'waiting', isWork = ({ pool }) => pool === 'read' || pool === 'write';
/** @type {[string, (before: any, last: any, seconds: number) => number|null, (value: number) => string][]} */
const TILES = [
    ['Requests', (before, last, seconds) => before && increase(before, last, REQUESTS) / seconds, (value) => `${value < 10 ? value.toFixed(1) : number(Math.round(value))}/s`],
    ['Failed', (before, last) => before && increase(before, last, REQUESTS, isFailure) / Math.max(increase(before, last, REQUESTS), 1),
        (value) => `${(value * 100).toFixed(value > 0 && value < 0.1 ? 1 : 0)} %`],
    ['Half are faster than', (before, last) => before && quantile(before, last, 'neuroviews_http_request_duration_seconds', 0.5), milliseconds],
    ['99 % are faster than', (before, last) => before && quantile(before, last, 'neuroviews_http_request_duration_seconds', 0.99), milliseconds],
    ['Wait for the database (95 %)', (before, last) => before && quantile(before, last, 'neuroviews_database_wait_seconds', 0.95, isWork), milliseconds],
    ['Lag of event loops (99 %)', (before, last) => before && quantile(before, last, 'neuroviews_event_loop_lag_seconds', 0.99), milliseconds],
    ['Free for recordings', (_, last) => sum(last, 'neuroviews_storage_free_bytes'), bytes],
    ['Jobs that wait', (_, last) => sum(last, 'neuroviews_jobs', isWaiting), number],
    ['Memory', (_, last) => sum(last, 'process_resident_memory_bytes'), bytes],
];
/** The tiles' values, the last five minutes; kept when another place is looked at. @type {(number|null)[][]} */
const points = TILES.map(() => []);
let newest = 0, told = '';

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ signal }) {
    const verdict = h('div', { class: 'stack' }), tiles = h('div', { class: 'tiles' }), facts = h('p', { class: 'muted small' });
    const draw = () => {
        note();
        fill(verdict, sentence());
        fill(tiles, TILES.map(tile));
        fill(facts, about());
    };
    await watch(draw, signal);
    const content = h('div', { class: 'page' }, h('div', { class: 'page-head' }, h('h1', null, 'Health')), verdict,
        h('section', { class: 'stack', 'aria-labelledby': 'figures' }, h('h2', { id: 'figures' }, 'Last minute'), tiles, facts), doctor());
    return { title: 'Health', content };
}
/** Keeps a point of each tile, once a reading. */
function note() {
    const { last, before, seconds } = span();
    const at = last?.at ?? 0, isNew = at !== newest;
    if (!isNew && !figures.problem) return;
    newest = at;
    TILES.forEach(([, measure], index) => {
        points[index].push(figures.problem || !last ? null : measure(before, last, seconds));
        points[index].splice(0, points[index].length - pointsMost);
    });
}
/** One sentence, or what is wrong and its remedy. */
function sentence() {
    const found = troubles();
    const text = found.length > 0 ? found.map((one) => one.text).join(' ') : 'Well';
    if (text !== told && told) announce(text);
    told = text;
    const box = (state, name, ...content) => h('div', { class: `health ${state}`, 'data-test': 'health', 'data-state': state }, icon(name), h('div', null, ...content));
    if (found.length === 0) return box('ok', 'check', h('strong', null, well()), before());
    return found.map(({ isWarning, text: what, remedy }) => box(isWarning ? 'warn' : 'danger', 'warning', h('strong', null, what), h('p', null, remedy)));
}
/** Since the last trouble that this page has seen, else since the server started. Faults before the page was opened have no time. */
function well() {
    const { last } = span(), since = troubledAt || (last && earlier().length === 0 && started(last) * 1000);
    return since ? `Well since ${dateTime(since)}` : 'Well';
}
function before() {
    const faults = earlier();
    return h('p', { class: 'muted' }, faults.length > 0 ? `Since the server started: ${faults.join(', ')}.` : 'The server is ready, and no rule for alerts is met.');
}
function tile([name, , text], index) {
    const values = points[index], value = values.at(-1) ?? null;
    return h('div', { class: 'tile' }, h('span', { class: 'small muted' }, name), h('strong', null, value === null ? '–' : text(value)),
        sparkline(values.length > 1 ? values : [value, value], { title: `${name}, the last ${plural(Math.max(values.length, 1), 'reading')}` }));
}
function about() {
    const { last, seconds } = span();
    if (!last) return 'There are no figures: the server has not answered since this page was opened.';
    if (figures.problem) return `The last figures are of ${dateTime(last.at)}.`;
    const uptime = sum(last, 'neuroviews_uptime_seconds') ?? 0, version = [...last.series.get('neuroviews_build_info')?.values() ?? []][0]?.labels.version;
    const begun = relative(new Date(Date.now() - uptime * 1000));
    return `Version ${version ?? 'unknown'}, started ${begun}. ${seconds === 0 ? 'Rates follow with the second reading, in 5 s.' : 'Read every 5 s while you look.'}`;
}

const VERDICTS = { wrong: ['danger', 'Wrong'], warning: ['warn', 'Warning'], ok: ['ok', 'Good'] };
/** The doctor runs in the console's own process, so it works while the server is away. */
function doctor() {
    const list = h('div', { class: 'stack' });
    const run = async () => {
        if (button.ariaBusy === 'true') return;
        [button.ariaBusy, button.textContent] = ['true', 'The doctor looks…'];
        try {
            const { findings, seconds } = await call('POST', 'doctor');
            fill(list, h('p', { class: 'muted' }, counted(findings, seconds)), h('ul', { class: 'list' }, ordered(findings).map(finding)));
            announce(counted(findings, seconds));
        } catch (/** @type {any} */ problem) {
            fill(list, errorState(problem, run));
        }
        [button.ariaBusy, button.textContent] = ['false', 'Run the doctor again'];
    };
    const button = h('button', { type: 'button', class: 'button', onclick: run }, 'Run the doctor');
    return h('section', { class: 'stack', 'aria-labelledby': 'doctor' }, h('div', { class: 'row' }, h('h2', { id: 'doctor' }, 'Doctor'), button),
        h('p', { class: 'muted' }, 'Checks this machine, the settings, the store and the database, and changes nothing.'), list);
}
const ordered = (findings) => Object.keys(VERDICTS).flatMap((verdict) => findings.filter((one) => one.verdict === verdict));
function counted(findings, seconds) {
    const count = (verdict) => findings.filter((one) => one.verdict === verdict).length;
    return `${number(count('wrong'))} wrong, ${plural(count('warning'), 'warning')}, ${number(count('ok'))} good. It took ${Number(seconds).toFixed(1)} s.`;
}
const finding = ({ verdict, subject, detail, remedy }) => h('li', { class: 'item', 'data-test': 'finding' }, h('span', { class: `chip ${VERDICTS[verdict][0]}` }, VERDICTS[verdict][1]),
    h('div', { class: 'grow' }, h('strong', null, subject), h('p', null, detail), remedy && h('p', { class: 'muted' }, `Remedy: ${remedy}`)));
