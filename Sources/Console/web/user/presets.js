// The account's presets: a list that is searched in memory, beside the editor of one of them.
import { id as part } from './api.js';
import { navigate } from './app.js';
import { parse } from './documents.js';
import { allDrafts, draftOf } from './drafts.js';
import { Editor } from './editor.js';
import { presetSchema, STARTERS } from './form.js';
import { presets, searchable, watch } from './reading.js';
import { rowOf } from './saving.js';
import { session } from './session.js';
import { number, plural, timeElement, valueText, word } from './texts.js';
import { emptyState, field, fill, h, icon, keyed } from './view.js';

const pageSize = 60;
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const time = (row, member) => Date.parse(row.document[member]) || 0;
const SORTS = {
    edited: { label: 'Last edited', key: (row) => time(row, 'modified_at'), order: (a, b) => b - a },
    created: { label: 'Newest', key: (row) => time(row, 'created_at'), order: (a, b) => b - a },
    name: { label: 'Name', key: (row) => row.document.name, order: byName.compare },
};
/** What the person chose; it outlives the visits of other screens. */
const view = { text: '', kind: '', sort: 'edited', count: pageSize };
/** @type {import('./reading.js').Row[]|null} the rows in their order, until one changes */
let sorted = null;
/** @type {Map<string, any>} by id in lower case */
let drafts = new Map();
let current = '', listTop = 0;

const head = h('div', { class: 'page-head' }), tools = h('div', { class: 'tools' }), count = h('p', { class: 'small muted', 'aria-live': 'polite' });
const list = h('ul', { class: 'list rows', 'aria-label': 'Presets' }), rest = h('div', { class: 'stack' }), detail = h('section', { class: 'detail page', 'aria-label': 'Preset', hidden: true });
const root = h('div', { class: 'split presets' }, h('div', { class: 'pane stack' }, head, tools, count, list, rest), detail);
const search = h('input', { type: 'search', autocomplete: 'off', oninput: () => choose({ text: search.value }) });
const kinds = h('select', { onchange: () => choose({ kind: kinds.value }) });
const sorts = h('select', { onchange: () => choose({ sort: sorts.value }) }, Object.entries(SORTS).map(([value, { label }]) => h('option', { value }, label)));
fill(tools, field('Search presets', search), field('Kind', kinds), field('Sort by', sorts));

/** @param {Partial<typeof view>} changes */
function choose(changes) {
    if (changes.sort) sorted = null;
    Object.assign(view, { count: pageSize }, changes);
    draw();
}
function ordered() {
    const { key, order } = SORTS[view.sort];
    return sorted ??= [...presets.rows.values()].map((row) => ({ row, key: key(row) })).sort((a, b) => order(/** @type {never} */ (a.key), /** @type {never} */ (b.key))).map(({ row }) => row);
}
function found() {
    const parts = searchable(view.text).split(/\s+/).filter(Boolean);
    return ordered().filter(({ search: text, document }) => (!view.kind || document.preset === view.kind) && parts.every((one) => text.includes(one)));
}
/** Drafts of presets that the server does not have: new ones, and those that were deleted elsewhere. */
const begun = () => [...drafts.values()].filter(({ id }) => !rowOf(id)).map((draft) => {
    const { id, start } = draft;
    return { id, version: start, document: start ? beginning(start) : remains(draft), note: start ? 'Not created yet' : 'Deleted' };
});
const beginning = (start) => Object.hasOwn(STARTERS, start) ? STARTERS[start] : STARTERS.blank;

function draw() {
    drawKinds();
    const total = presets.rows.size, rows = found(), unsent = begun(), isEmpty = total === 0 && unsent.length === 0;
    for (const part of [tools, count]) part.hidden = isEmpty;
    list.hidden = rows.length + unsent.length === 0;
    const text = rows.length === total ? plural(total, 'preset') : `${number(rows.length)} of ${plural(total, 'preset')}`;
    if (count.textContent !== text) fill(count, text);
    keyed(list, [...unsent, ...rows.slice(0, view.count)], (row) => row.id.toLowerCase(), make, update);
    const left = Math.max(0, rows.length - view.count), isMissed = rows.length === 0 && total > 0, state = `${isEmpty} ${isMissed} ${left} ${view.count}`;
    if (rest.dataset.drawn !== state) fill(rest, isEmpty && none(), isMissed && noMatch(), left > 0 && more(left, unsent.length + view.count));
    rest.dataset.drawn = state;
}
function drawKinds() {
    const names = [...new Set([...presets.rows.values()].map(({ document }) => document.preset))].sort((a, b) => byName.compare(word(a), word(b)));
    if (kinds.options.length === names.length + 1 && names.every((name, index) => kinds.options[index + 1].value === name)) return;
    if (!names.includes(view.kind)) view.kind = '';
    fill(kinds, h('option', { value: '' }, 'All kinds'), names.map((name) => h('option', { value: name }, word(name))));
    kinds.value = view.kind;
}
const button = (run, ...content) => h('button', { type: 'button', class: 'button', onclick: run }, content);
const none = () => emptyState({ title: 'No presets yet', text: 'A preset has the settings of a camera, the same on all your devices. Begin with one of these, or with an empty one.',
    actions: ['portrait', 'landscape', 'night'].map((start) => button(() => begin(start), word(start))) });
const noMatch = () => emptyState({ title: 'No preset matches', text: 'Try fewer words, or another kind.', actions: [button(clear, 'Clear the search')] });
const more = (left, first) => button(() => {
    choose({ count: view.count + pageSize });
    list.children[first]?.querySelector('a')?.focus();
}, `Show ${number(Math.min(left, pageSize))} more`);
function clear() {
    [search.value, kinds.value] = ['', ''];
    choose({ text: '', kind: '' });
    search.focus();
}
/** A new preset has its id from the start, so that its draft survives a reload. @param {string} start @param {{ replace?: boolean }} [options] */
const begin = (start, options) => navigate(`#/presets/${crypto.randomUUID()}?start=${encodeURIComponent(start)}`, options);

const make = (row) => {
    const item = h('li', { 'data-test': 'preset-row' }, h('a', { class: 'item', href: `#/presets/${part(row.id)}` }));
    update(item, row);
    return item;
};
/** Draws a row, with what was typed, again when its version, its draft or the age of its time has changed. */
function update(item, row) {
    const link = item.firstChild, id = row.id.toLowerCase(), draft = drafts.get(id), state = `${row.version} ${draft?.at} ${Math.floor(Date.now() / 60_000)}`;
    link.ariaCurrent = id === current ? 'page' : null;
    if (item.dataset.drawn === state) return;
    item.dataset.drawn = state;
    const [name, preset, format, resolution, rate] = ['name', 'preset', 'video_format', 'resolution', 'frame_rate'].map((member) => draft?.touched[`/${member}`]?.text || row.document[member]);
    const facts = preset ? [word(preset), format, resolution, valueText('frame_rate', Number(rate) || rate)].flatMap((text) => [h('span', null, text), ' ']) : [];
    fill(link, h('span', { class: 'name', dir: 'auto' }, name || 'New preset'), ' ', draft && h('span', { class: 'chip warn' }, 'Draft'), ' ',
        h('span', { class: 'facts-line' }, facts), h('span', { class: 'when small muted' }, row.note ?? timeElement(row.document.modified_at)));
}

/** @param {AbortSignal} signal */
async function readDrafts(signal) {
    const all = await allDrafts().catch(() => []);
    if (signal.aborted) return;
    drafts = new Map(all.map((draft) => [draft.id.toLowerCase(), draft]));
    draw();
}
/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ params, query, signal }) {
    const { id = '' } = params, start = query.get('start');
    if (id === 'new') {
        begin(start ?? 'blank', { replace: true });
        return { title: 'New preset', content: root };
    }
    await presets.ready();
    presetSchema().catch(() => {});  // so that a preset opens without a connection, too
    const opened = id ? await openEditor({ id, start, signal, changed: () => readDrafts(signal) }) : null;
    if (signal.aborted) return { title: '', content: root };
    if (id && detail.hidden) listTop = scrollY;
    const hasLeftDetail = !id && !detail.hidden;
    current = id.toLowerCase();
    fill(head, h(id ? 'h2' : 'h1', null, 'Presets'), h('div', { class: 'actions' }, presets.deleted.size > 0 && h('a', { class: 'button quiet', href: '#/presets/deleted' }, icon('trash'), 'Deleted'),
        h('a', { class: `button ${id ? '' : 'primary'}`, href: '#/presets/new' }, icon('add'), 'New preset')));
    fill(detail, opened?.parts);
    detail.hidden = !id;
    sorted = null;
    await readDrafts(signal);
    watch('configurations', () => { sorted = null; draw(); }, signal);
    requestAnimationFrame(() => {
        if (id) scrollTo(0, 0); else if (hasLeftDetail) scrollTo(0, listTop);
        list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    });
    return { title: opened?.title ?? 'Presets', content: root, leave: opened?.leave, hold: opened?.hold };
}

/** @param {{ id: string, start: string|null, signal: AbortSignal, changed: () => void }} visit `changed`: a draft came or went */
async function openEditor({ id, start, signal, changed }) {
    const [schema, draft, owner] = await Promise.all([presetSchema(), draftOf(id), session.userID()]), row = rowOf(id), isID = /^[0-9a-f-]{36}$/i.test(id);
    const begun = row || !isID ? null : draft?.start ?? start;
    if (!row && !begun && !draft) return { title: 'No such preset', parts: [absent(id)], leave: () => {} };
    const document = row?.document ?? (begun ? beginning(begun) : remains(draft));
    const touched = new Map(Object.entries(draft?.touched ?? {})), base = { document, version: row?.version ?? draft?.version ?? null };
    return new Editor({ id: row?.id ?? id, base, start: begun, touched, known: new Set(touched.keys()) }, { schema, owner, signal, changed }).opened(draft);
}
/** What the draft of a deleted preset knows of it. */
const remains = ({ touched }) => ({ name: touched['/name']?.was ? parse(touched['/name'].was) : 'Deleted preset' });
const absent = (id) => h('div', { class: 'stack' }, h('h1', null, 'No such preset'), emptyState({
    title: 'This preset is not here', text: 'It was deleted, or it belongs to another account. The history of a deleted preset can bring it back.',
    actions: [h('a', { class: 'button', href: '#/presets' }, 'All presets'), h('a', { class: 'button', href: `#/presets/${part(id)}/history` }, 'History')],
}));
