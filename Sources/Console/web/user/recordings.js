// The recordings as a grid of thumbnails with filters, and above it the uploads of this browser.
import { get, id as part } from './api.js';
import { watch } from './reading.js';
import { sent } from './sending.js';
import { bytes, duration, number, plural, problemText, timeElement } from './texts.js';
import { add, cancel, choose, discard, isBusy, mayCancel, pickFiles, tryAgain, watchRows } from './uploads.js';
import { announce, emptyState, errorState, field, fill, h, icon, keepFocus, keyed } from './view.js';

/** @typedef {import('./uploads.js').Row} Row
 *  @typedef {{ filters: Record<string, string>, rows: any[], total: number, next: string|null, signal: AbortSignal, grid: any, foot: any, count: any, list: any }} View */

const pageSize = 60, pageMost = 1000, pollAfter = 5_000, thumbnailTries = 6;
const STATES = { ready: 'Ready', pending: 'Being processed', failed: 'Failed', uploading: 'Not complete yet' };
const FORMATS = ['H.264', 'H.265', 'ProRes 422', 'ProRes 4444', 'AV1'];
const FILTERS = ['state', 'device_id', 'video_format', 'from', 'to', 'tag'];

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ query, signal }) {
    const filters = Object.fromEntries([...query].filter(([name, value]) => FILTERS.includes(name) && value));
    const grid = h('ul', { class: 'shots' }), foot = h('div', { class: 'stack' }), count = h('p', { class: 'muted' }), list = h('div', { class: 'stack' }, count, grid, foot);
    /** @type {View} */
    const view = { filters, rows: [], total: 0, next: null, signal, grid, foot, count, list };
    const [devices] = await Promise.all([get('devices', { signal }).then((answer) => answer.devices, () => []), load(view)]);
    draw(view);
    const refresh = () => load(view).then(() => draw(view)).catch(() => {});  // the frame tells of a lost connection
    watch('recordings', refresh, signal);
    const timer = setInterval(() => { if (!document.hidden && view.rows.some(isProcessed)) refresh(); }, pollAfter);
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    addEventListener('drop', ({ dataTransfer }) => add(dataTransfer.files), { signal });
    const content = h('div', { class: 'page' },
        h('div', { class: 'page-head' }, h('h1', null, 'Recordings'), h('div', { class: 'actions' }, uploadButton('primary'))), panel(signal), form(view, devices), list);
    return { title: 'Recordings', content };
}
const upload = () => pickFiles().then(add);
const uploadButton = (kind) => h('button', { type: 'button', class: `button ${kind}`, onclick: upload }, icon('upload'), 'Upload');
const isProcessed = (recording) => ['pending', 'processing'].includes(recording.processing_status);

/** A day in the browser's zone as a bound. @param {string} day @param {number} [more] */
const bound = (day, more = 0) => {
    const [year, month, date] = day.split('-').map(Number), time = new Date(year, month - 1, date + more);
    return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
};
const asked = ({ from, to, ...others }) => ({ ...others, from: from && bound(from), to: to && bound(to, 1) });
let turn = 0;
/** Reads as many rows as are shown, at least a page. @param {View} view */
async function load(view) {
    const mine = turn += 1, limit = Math.min(Math.max(view.rows.length, pageSize), pageMost);
    const page = await get('recordings', { query: { ...asked(view.filters), limit }, signal: view.signal });
    if (mine === turn) Object.assign(view, { rows: page.recordings, total: page.total, next: page.next });
}
/** @param {View} view */
async function more(view) {
    const mine = turn += 1, page = await get('recordings', { query: { ...asked(view.filters), limit: pageSize, before: view.next }, signal: view.signal });
    if (mine !== turn) return;
    const known = new Set(view.rows.map(({ id }) => id));
    Object.assign(view, { rows: [...view.rows, ...page.recordings.filter(({ id }) => !known.has(id))], total: page.total, next: page.next });
    draw(view);
    announce(`${number(view.rows.length)} of ${plural(view.total, 'recording')}`);
}
/** @param {View} view */
function draw(view) {
    const { rows, total, grid, foot, count } = view, isFiltered = Object.keys(view.filters).length > 0;
    keyed(grid, rows, ({ id }) => id, (row) => shot(row, view.signal), (element, row) => element.update(row));
    [count.textContent, count.hidden, grid.hidden] = [plural(total, 'recording'), rows.length === 0, rows.length === 0];
    const rest = view.next && h('button', { type: 'button', class: 'button', onclick: () => more(view) }, `Show more (${number(total - rows.length)})`);
    if (rows.length > 0) fill(foot, rest && h('div', { class: 'row' }, rest));
    else if (isFiltered) fill(foot, emptyState({ title: 'No recording matches', text: 'Change the filters, or see all recordings.', actions: [clearing()] }));
    else fill(foot, emptyState({ title: 'No recordings yet', actions: [uploadButton('')],
        text: 'Recordings that the camera app uploads are listed here. You can also upload files from this device.' }));
}
const clearing = () => h('button', { type: 'button', class: 'button', onclick: () => { location.hash = '#/recordings'; } }, 'Clear filters');

/** The filters stay in the address, so "back" and a reload keep them. @param {View} view @param {any[]} devices */
function form(view, devices) {
    const { filters } = view;
    const set = async ({ target: { name, value } }) => {
        if (value) filters[name] = value; else delete filters[name];
        history.replaceState(null, '', `#/recordings${Object.keys(filters).length > 0 ? `?${new URLSearchParams(filters)}` : ''}`);
        view.rows = [];
        try {
            await load(view);
            draw(view);
            announce(plural(view.total, 'recording'));
        } catch (/** @type {any} */ problem) {
            if (problem.code === 'cancelled') return;
            keyed(view.grid, [], ({ id }) => id, () => null);
            view.count.hidden = true;
            fill(view.foot, errorState(problem, () => set({ target: { name, value } })));
        }
    };
    const option = ([value, text]) => h('option', { value }, text);
    const select = (name, options) => h('select', { name, value: filters[name] ?? '', onchange: set }, [['', 'All'], ...options].map(option));
    const input = (name, type, others = {}) => h('input', { name, type, value: filters[name] ?? '', onchange: set, ...others });
    const owners = devices.map(({ id, name, model }) => [id, name ?? model ?? id]), formats = FORMATS.map((format) => [format, format]);
    const isOpen = Object.keys(filters).length > 0 || matchMedia('(min-width: 861px)').matches;
    return h('details', { class: 'filters', open: isOpen }, h('summary', null, 'Filters'), h('div', { class: 'filter-row' },
        field('State', select('state', Object.entries(STATES))), field('Device', select('device_id', owners)), field('Format', select('video_format', formats)),
        field('From', input('from', 'date')), field('To', input('to', 'date')), field('Label', input('tag', 'text', { maxlength: 100, dir: 'auto' }))));
}

/** One recording. An upload that is not complete has no page yet. @param {any} first @param {AbortSignal} signal */
function shot(first, signal) {
    const link = h('a', { class: 'shot' }), element = h('li', { 'data-test': 'recording-row' }, link);
    let shown = '', wasOpen = /** @type {boolean|null} */ (null);
    const update = (row) => {
        const next = [row.version, row.processing_status, row.thumbnail_url, row.upload_offset].join(), isOpen = row.processing_status === 'uploading';
        if (next === shown) return;
        shown = next;
        const name = h('strong', { dir: 'auto' }, row.filename), time = h('span', { class: 'small muted' }, timeElement(row.created_at));
        fill(link, h('div', { class: 'thumb' }, picture(row, signal), marks(row)), name, time);
        if (isOpen === wasOpen) return;  // the link keeps the focus
        wasOpen = isOpen;
        if (isOpen) link.removeAttribute('href'); else link.setAttribute('href', `#/recordings/${part(row.id)}`);
        fill(element, link, isOpen && button('Cancel this upload', () => stop(row), 'quiet'));
    };
    update(first);
    return Object.assign(element, { update });
}
/** @param {any} row */
async function stop({ id, filename }) {
    if (await mayCancel(filename, 'A device may still be sending it. What was sent is deleted from the server.')) await cancel(id);
}
/** @param {any} row */
function marks({ processing_status: state, encryption, probe, duration: stated, content_type: type }) {
    const isUnread = !probe && /^(video|audio)/.test(type), ready = encryption ? ['', 'Sealed'] : isUnread && ['warn', 'Not measured'];
    const seconds = probe?.duration ?? stated, mark = { failed: ['danger', 'Failed'], uploading: ['warn', 'Not complete'], ready };
    const chip = state in mark ? mark[state] : ['', 'Processing'], length = seconds > 0 && duration(seconds);
    return [chip && h('span', { class: `chip ${chip[0]}` }, chip[1]), length && h('span', { class: 'chip length' }, h('span', { class: 'visually-hidden' }, 'Length '), length)];
}
/** @param {any} row @param {AbortSignal} signal */
function picture({ processing_status: state, thumbnail_url: url, content_type: type }, signal) {
    const blank = icon(state === 'failed' ? 'warning' : ({ video: 'play', image: 'photo' })[type.split('/')[0]] ?? 'recordings');
    if (state !== 'ready' || !url) return blank;
    let tries = 0;
    const again = () => { if (image.isConnected && !signal.aborted) image.src = url; };
    const failed = () => { if ((tries += 1) < thumbnailTries) setTimeout(again, pollAfter * tries); };
    const image = h('img', { src: url, alt: '', loading: 'lazy', decoding: 'async', onload: () => blank.remove(), onerror: failed });
    return [image, blank];
}

/** @param {Row} row @returns {string} */
function status(row) {
    const { state, problem, entry: { size } } = row, count = sent(row), amount = `${bytes(count)} of ${bytes(size)}`, seconds = (performance.now() - row.since) / 1000;
    const pace = (count - row.from) / seconds, left = (size - count) / pace, time = left < 60 ? 'less than a minute' : plural(Math.ceil(left / 60), 'minute');
    return {
        waiting: `${bytes(size)}, waits for its turn`, checking: `Compared with what was sent: ${number(Math.floor(count / size * 100))} %`,
        sending: pace > 0 && seconds > 2 ? `${amount}, ${bytes(Math.round(pace))}/s, ${time} left` : amount, cut: `${amount}, interrupted. It continues by itself.`,
        finishing: 'All sent, being completed', choose: problem?.detail ?? `${bytes(size)}. Choose the file again to continue: browsers forget files at a reload.`,
        elsewhere: 'Another tab of this browser sends it.', failed: problemText(problem ?? {}), done: `${bytes(size)}, uploaded`,
    }[state];
}
const button = (label, run, kind = '') => h('button', { type: 'button', class: `button ${kind}`, onclick: run }, label);
/** @param {Row} row */
function controls(row) {
    const { state, problem, entry: { id } } = row, end = (label) => Object.assign(button(label, () => discard(row), 'quiet'), { id: `discard-${id}` });
    return {
        elsewhere: [], done: [h('a', { class: 'button', href: `#/recordings/${part(id)}` }, 'Open'), end('Dismiss')],
        choose: [button('Choose the file', () => choose(row), 'primary'), end('Cancel')],
        failed: [!problem?.isRefused && button('Try again', () => tryAgain(row)), end(problem?.isRefused ? 'Dismiss' : 'Cancel')],
    }[/** @type {string} */ (state)] ?? [end('Cancel')];
}
/** @param {Row} first */
function item(first) {
    const text = h('p', null), actions = h('div', { class: 'row' }), bar = h('progress', { max: 1, 'aria-label': `Upload of ${first.entry.name}` });
    const name = h('strong', { dir: 'auto' }, first.entry.name);
    const element = h('li', { class: 'item', 'data-test': 'upload-row' }, icon('upload'), h('div', { class: 'grow' }, name, text), actions, bar);
    const update = (/** @type {Row} */ row) => {
        if (element.dataset.state !== row.state) keepFocus(actions, () => fill(actions, controls(row)));
        element.dataset.state = row.state;
        text.className = `small ${row.state === 'failed' ? 'error' : 'muted'}`;
        text.textContent = status(row);
        bar.value = Math.min(sent(row) / Math.max(row.entry.size, 1), 1);
        bar.hidden = !isBusy(row);
    };
    update(first);
    return Object.assign(element, { update });
}
/** The uploads of this browser, hidden while there are none. @param {AbortSignal} signal */
function panel(signal) {
    const list = h('ul', { class: 'list' });
    const section = h('section', { class: 'stack', 'aria-labelledby': 'uploads-title' }, h('h2', { id: 'uploads-title' }, 'Uploads'), list);
    watchRows((rows) => {
        section.hidden = rows.length === 0;
        keyed(list, rows, (row) => row.key, item, (element, row) => element.update(row));
    }, signal);
    return section;
}
