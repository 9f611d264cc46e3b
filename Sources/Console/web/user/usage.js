// How the account was used, in the browser's time zone: figures, bars by day and breakdowns, each with its table.
import { download, get, request } from './api.js';
import { bars, shares } from './chart.js';
import { bytes, date, duration, label, now, number, plural, problemText, word } from './texts.js';
import { ask, button, emptyState, fill, h, icon, toast } from './view.js';

const SPANS = [7, 30, 90, 365];
/** The figures of a day: name, title, the value in words, what it is. */
const FIGURES = /** @type {[string, string, (value: number) => string, string][]} */ ([
    ['recordings', 'Recordings', number, 'Recordings by the day on which they were made.'],
    ['recorded_seconds', 'Recorded time', duration, 'The length of those recordings, in hours, minutes and seconds.'],
    ['uploaded_bytes', 'Uploaded', bytes, 'The size of the files that arrived.'],
    ['configurations_changed', 'Presets changed', number, 'Presets with a new version. One that changed more than once in a day counts once.'],
    ['events', 'Usage events', number, 'What your devices reported, with your consent.'],
    ['active_devices', 'Active devices', number, 'Devices that reported something.'],
]);

/** A day as the zone has it: 2026-11-28. @param {Date} time */
const day = (time) => new Intl.DateTimeFormat('sv-SE').format(time);
/** A day's text without a clock: the browser's zone must not move it. @param {string} text */
const dayName = (text) => date(`${text}T12:00:00`);
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** @param {number} span */
function range(span) {
    const end = now(), start = new Date(end);
    start.setDate(start.getDate() - span + 1);
    return { start_date: day(start), end_date: day(end), tz: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
/** Figures of a zone that the server does not know are those of UTC. */
async function read(query, signal) {
    return get('analytics/usage', { query, signal }).catch((problem) => {
        if (problem.status !== 422 && problem.status !== 400) throw problem;
        return get('analytics/usage', { query: { ...query, tz: 'UTC' }, signal });
    });
}
async function saveTable({ start_date, end_date, tz }) {
    const { data } = await request('GET', 'analytics/usage', { query: { start_date, end_date, tz }, headers: { Accept: 'text/csv' }, as: 'blob' });
    download(URL.createObjectURL(data), `usage-${start_date}-${end_date}.csv`);
    toast('The table is saved.');
}

const tile = (usage) => ([name, title, text]) => h('div', { class: 'tile' }, h('span', { class: 'small muted' }, title), h('strong', null, text(usage.totals[name])));
const chart = (usage) => ([name, title, text, description]) => h('section', { class: 'card' }, bars({
    title, description: `${description} From ${dayName(usage.start_date)} to ${dayName(usage.end_date)}.`, head: ['Day', title],
    rows: usage.days.map((one) => ({ label: dayName(one.date), tick: shortDay.format(new Date(`${one.date}T12:00:00`)), value: one[name], text: text(one[name]) })),
}));
/** @param {any} usage @param {Map<string, string>} names of devices */
function breakdowns(usage, names) {
    const share = (title, list, name = (value) => value) => shares({ title, rows: list.map(({ value, count, seconds }) => ({
        label: value === null ? 'Not stated' : name(value), value: count, text: `${plural(count, 'recording')}, ${duration(seconds)}` })) });
    return h('div', { class: 'columns' },
        share('Recordings by video format', usage.recordings_by_format), share('Recordings by resolution', usage.recordings_by_resolution),
        share('Recordings by device', usage.recordings_by_device, (id) => names.get(id) ?? id),
        shares({ title: 'Kinds of presets', rows: usage.presets.map(({ preset, configurations, recordings }) => ({
            label: word(preset), value: configurations, text: `${plural(configurations, 'preset')}, ${plural(recordings, 'recording')}` })) }),
        usage.events_by_name.length > 0 && shares({ title: 'Usage events', rows: usage.events_by_name.map(({ name, count }) => ({
            label: label(name), value: count, text: number(count) })) }));
}
/** The text that a person agrees to; another text gets another version. */
const CONSENT_VERSION = '2026-11';
const CONSENTS = {
    analytics: 'Which functions you use, with your account. Withdrawing deletes all of it.',
    usage_metrics: 'Times and sizes, with your account. Withdrawing deletes all of it.',
    crash_reports: 'Kept without account, device and address for 90 days. A report that was sent can\'t be deleted or exported.',
};
/** A question before something that can't be undone. */
const question = (category, granted) => category !== 'crash_reports'
    ? !granted && { title: 'Withdraw the consent?', body: 'What was collected with it is deleted now.', label: 'Withdraw and delete', kind: 'danger' }
    : granted && { title: 'Send crash reports?', body: `${CONSENTS.crash_reports} Withdrawing stops further ones only.`, label: 'Send them', kind: 'primary' };
async function consent(category, granted, load) {
    const asked = question(category, granted), json = { consents: { [category]: { granted, version: CONSENT_VERSION } } };
    const agreed = !asked || await ask({ title: asked.title, body: asked.body, actions: [{ label: asked.label, value: true, kind: asked.kind }] });
    const text = granted ? 'You have agreed.' : 'The consent is withdrawn.';
    if (agreed) await request('PUT', 'account/consents', { json }).then(() => toast(text), (problem) => toast(problemText(problem)));
    await load();
}
/** The consents as switches, for the account's screen. */
export function drawConsents(place, { consents }, load) {
    fill(place, h('ul', { class: 'stack' }, Object.entries(consents).map(([category, { granted, changed_at }]) => h('li', null,
        h('label', { class: 'check' }, h('input', { type: 'checkbox', id: `consent-${category}`, checked: granted, 'aria-describedby': `about-${category}`,
            onchange: (event) => consent(category, event.target.checked, load) }), h('strong', null, word(category))),
        h('p', { class: 'hint', id: `about-${category}` }, CONSENTS[category] ?? '', changed_at && ` Last changed ${date(changed_at)}.`)))));
}
/** What events would show, where nobody has agreed to them. */
const withoutConsent = () => emptyState({
    title: 'Usage events are off', text: 'With your consent, your devices report which functions you use. This page then also shows events and active devices, day by day.',
    actions: [h('a', { class: 'button', href: '#/account?part=consents' }, 'See consents')],
});

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ query, signal }) {
    const span = SPANS.find((days) => String(days) === query.get('days')) ?? 30, days = range(span);
    const [{ usage }, { consents }, { devices }] = await Promise.all([read(days, signal), get('account/consents', { signal }), get('devices', { signal })]);
    const agreed = consents.analytics.granted || consents.usage_metrics.granted;
    const figures = FIGURES.filter(([name]) => agreed || usage.derived.includes(name)), isEmpty = figures.every(([name]) => !usage.totals[name]);
    const names = new Map(devices.map(({ id, name }) => [id, name ?? id]));
    const choice = h('nav', { class: 'tabs', 'aria-label': 'Days' }, SPANS.map((count) => h('a', {
        class: 'button', href: `#/usage?days=${count}`, 'aria-current': count === span && 'page' }, `${count} days`)));
    const content = h('div', { class: 'page' },
        h('div', { class: 'page-head' }, h('h1', null, 'Usage'), choice,
            h('div', { class: 'actions' }, button('', () => saveTable(usage), icon('download'), 'Save as CSV'))),
        h('p', { class: 'muted' }, `${dayName(usage.start_date)} to ${dayName(usage.end_date)}, days of ${usage.tz}.`),
        h('div', { class: 'tiles' }, figures.map(tile(usage))),
        isEmpty ? emptyState({ title: 'Nothing in these days', text: 'Recordings, uploads and changes of presets appear here on the day they happen.' })
            : [h('div', { class: 'columns' }, figures.map(chart(usage))), h('h2', null, 'Breakdowns'), breakdowns(usage, names)],
        !agreed && withoutConsent());
    return { title: 'Usage', content };
}
