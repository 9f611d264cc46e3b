// How all accounts that agreed use the server: what "neuroviews-server usage" prints, in days of UTC.
import { get } from './calls.js';
import { bars, shares } from './chart.js';
import { bytes, date, duration, label, number, plural, word } from './texts.js';
import { emptyState, errorState, field, fill, h } from './view.js';

const SPANS = [7, 30, 90, 365];
/** @type {[string, string, (value: number) => string][]} */
const FIGURES = [['active_accounts', 'Active accounts', number], ['new_accounts', 'New accounts', number], ['active_devices', 'Active devices', number], ['recordings', 'Recordings', number],
    ['recorded_seconds', 'Recorded time', duration], ['uploaded_bytes', 'Uploaded', bytes], ['configurations_changed', 'Presets changed', number], ['events', 'Usage events', number]];
/** @type {[string, string, (value: number) => string][]} */
const NOW = [['accounts', 'Accounts', number], ['consenting_accounts', 'Of them agreed', number], ['devices', 'Devices', number], ['configurations', 'Presets', number],
    ['recordings', 'Recordings', number], ['stored_bytes', 'Stored', bytes]];

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ query, signal }) {
    const box = h('div', { class: 'stack' }), asked = Number(query.get('days')), days = SPANS.includes(asked) ? asked : 30;
    const read = async (span) => fill(box, report((await get('usage', { days: span }, { signal })).usage));
    const change = ({ target }) => {
        history.replaceState(null, '', `#/usage?days=${target.value}`);
        read(target.value).catch((problem) => { if (problem.code !== 'cancelled') fill(box, errorState(problem, () => change({ target }))); });
    };
    const select = h('select', { value: String(days), onchange: change }, SPANS.map((span) => h('option', { value: String(span) }, `${span} days`)));
    await read(days);
    return { title: 'Usage', content: h('div', { class: 'page' }, h('div', { class: 'page-head' }, h('h1', null, 'Usage'), h('div', { class: 'actions' }, field('Time', select))), box) };
}
/** A day has no clock: the browser's zone must not move it. @param {string} day */
const dayName = (day) => date(`${day}T12:00:00`);
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const tile = (values) => ([name, title, text]) => h('div', { class: 'tile' }, h('span', { class: 'small muted' }, title), h('strong', null, text(values[name])));
const section = (title, ...content) => h('section', { class: 'stack' }, h('h2', null, title), ...content);

function report(usage) {
    const span = `From ${dayName(usage.start_date)} to ${dayName(usage.end_date)}`;
    const isEmpty = FIGURES.every(([name]) => usage.totals[name] === 0);
    return [section('Now', h('div', { class: 'tiles' }, NOW.map(tile(usage.now)))), isEmpty
        ? emptyState({ title: 'No usage in this time', text: 'Only accounts that agreed to usage metrics are counted.' })
        : [section(span, h('p', { class: 'muted' }, 'Days of UTC, of the accounts that agreed to usage metrics.'), h('div', { class: 'tiles' }, FIGURES.map(tile(usage.totals)))),
            h('div', { class: 'columns' }, FIGURES.map(chart(usage))), breakdowns(usage)]];
}
const chart = (usage) => ([name, title, text]) => h('section', { class: 'card' }, bars({ title, head: ['Day', title], description: `${title} by day of UTC.`,
    rows: usage.days.map((day) => ({ label: dayName(day.date), tick: shortDay.format(new Date(`${day.date}T12:00:00`)), value: day[name], text: text(day[name]) })) }));
function breakdowns(usage) {
    const made = ({ value, count, seconds }) => ({ label: value ?? 'Not stated', value: count, text: `${plural(count, 'recording')}, ${duration(seconds)}` });
    const share = (title, list) => shares({ title, rows: list.map(made) });
    const presets = usage.presets.map(({ preset, configurations, recordings }) => ({
        label: word(preset), value: configurations, text: `${plural(configurations, 'preset')}, ${plural(recordings, 'recording')}` }));
    const events = usage.events_by_name.map(({ name, count }) => ({ label: label(name), value: count, text: number(count) }));
    return h('div', { class: 'columns' }, share('Recordings by video format', usage.recordings_by_format), share('Recordings by resolution', usage.recordings_by_resolution),
        shares({ title: 'Kinds of presets', rows: presets }), events.length > 0 && shares({ title: 'Usage events', rows: events }));
}
