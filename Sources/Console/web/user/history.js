// The versions of one preset: who made them and when, two of them compared, and a restore whose effect is seen first.
import { get, id as part, request } from './api.js';
import { differences, numberOf, parse, shown, tagOf } from './documents.js';
import { presets, pull, watch } from './reading.js';
import { deviceText, putBack, refusalText, rowOf, undoing } from './saving.js';
import { session } from './session.js';
import { exactTime, pathLabel, plural, timeElement } from './texts.js';
import { announce, ask, button, emptyState, errorState, field, fill, h, icon, keepFocus, toast } from './view.js';

/** @typedef {{ version: string, changed_at: string, edited_at: string, device: { id: string, name: string|null }|null, deleted: boolean, has_document: boolean }} Version */

const rowsMax = 200, keptMax = 8;

/** A row for each member that differs. @param {import('./documents.js').Difference[]} list @param {string[]} heads @param {string} caption */
export function differenceTable(list, heads, caption) {
    const body = h('tbody'), more = h('div');
    const draw = (count) => {
        fill(body, list.slice(0, count).map(({ pointer, a, b }) => h('tr', null, h('th', { scope: 'row', dir: 'auto' }, pathLabel(pointer)),
            h('td', { dir: 'auto' }, shown(pointer, a, b)), h('td', { dir: 'auto' }, shown(pointer, b, a)))));
        fill(more, list.length > count && button('', async () => draw(list.length), `Show all ${plural(list.length, 'setting')}`));
    };
    draw(rowsMax);
    return h('div', { class: 'stack' }, h('table', { class: 'table compared' }, h('caption', { class: 'visually-hidden' }, caption),
        h('thead', null, h('tr', null, ['Setting', ...heads].map((text) => h('th', { scope: 'col' }, text)))), body), more);
}

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ params, query, signal }) {
    const page = new History(params.id, await session.deviceID(), signal);
    await Promise.all([page.read(), presets.ready().catch(() => {})]);  // the versions are enough
    page.choose(query.get('version'));
    await page.draw();
    watch('configurations', () => page.look(), signal);
    return { title: page.title(), content: page.content };
}

class History {
    /** @type {Version[]} */ versions = [];
    /** @type {number|null} */ next = null;
    /** @type {Map<string, Promise<any>>} documents by tag, the last ones */ documents = new Map();
    from = '';
    to = '';
    turn = 0;
    heading = h('h1', { dir: 'auto' });
    list = h('ul', { class: 'list rows', 'aria-label': 'Versions' });
    rest = h('div', { class: 'row' });
    result = h('div', { class: 'stack' });
    choices = h('div', { class: 'tools' });

    /** @param {string} id @param {string} here this browser's device @param {AbortSignal} signal */
    constructor(id, here, signal) {
        Object.assign(this, { id, here, signal, path: `configurations/${part(id)}` });
        const back = h('a', { class: 'row back', href: `#/presets/${part(id)}` }, icon('back'), 'Preset');
        this.compare = h('section', { class: 'card stack', 'aria-label': 'Comparison' }, h('h2', null, 'What changed'), this.choices, this.result);
        this.content = h('div', { class: 'page' }, h('div', { class: 'stack' }, back, this.heading),
            h('div', { class: 'history' }, this.compare, h('section', { class: 'stack', 'aria-label': 'All versions' }, this.list, this.rest)));
    }
    title() { return `History of ${this.name ?? 'a deleted preset'}`; }
    /** The newest page; those that were read before stay when they join it. */
    async read() {
        const { versions, next } = await get(`${this.path}/versions`, { query: { limit: 100 }, signal: this.signal });
        const joint = this.versions.findIndex(({ version }) => version === versions.at(-1)?.version);
        if (joint < 0) Object.assign(this, { versions, next }); else this.versions = [...versions, ...this.versions.slice(joint + 1)];
        this.kept = this.versions.filter(({ has_document: has }) => has);
        this.name = rowOf(this.id)?.document.name ?? (this.kept[0] && await this.documentOf(this.kept[0]).then(({ name }) => name, () => undefined));
    }
    async readMore() {
        const { versions, next } = await get(`${this.path}/versions`, { query: { limit: 100, before: this.next }, signal: this.signal });
        Object.assign(this, { versions: [...this.versions, ...versions], next });
        this.kept = this.versions.filter(({ has_document: has }) => has);
        await this.draw();
    }
    /** A version with its exact document. @param {Version} entry */
    documentOf({ version }) {
        const known = this.documents.get(version) ?? request('GET', `${this.path}/versions/${numberOf(version)}`, { as: 'text', signal: this.signal }).then(({ data, headers }) => {
            if (![version, undefined].includes(tagOf(headers))) throw Object.assign(new Error('The server was restored from a backup. Open the history again.'), { title: 'This version is not in the history any more' });
            return parse(data);
        });
        known.catch(() => this.documents.delete(version));
        this.documents.delete(version);
        this.documents.set(version, known);
        if (this.documents.size > keptMax) this.documents.delete(/** @type {string} */ (this.documents.keys().next().value));
        return known;
    }
    /** @param {string|null} wanted a version to begin with: what the newest one changed, or what changed since the wanted one */
    choose(wanted) {
        this.to = this.kept[0]?.version ?? '';
        this.from = this.kept.find(({ version }) => version === wanted)?.version ?? this.kept[1]?.version ?? '';
    }
    find(version) { return this.kept.find((entry) => entry.version === version); }

    async draw() {
        fill(this.heading, this.title());
        keepFocus(this.list, () => fill(this.list, this.versions.map((entry, index) => this.row(entry, index === 0))));
        fill(this.rest, this.next !== null && button('', () => this.readMore(), 'Show older versions'));
        this.drawChoices();
        await this.drawResult();
    }
    row(entry, isCurrent) {
        const { device, deleted, has_document: has, changed_at: time } = entry, hidden = h('span', { class: 'visually-hidden' }, ` the version of ${exactTime(time)}`);
        const chips = [isCurrent && !deleted && h('span', { class: 'chip ok' }, 'Current'), deleted && h('span', { class: 'chip danger' }, 'Deleted'), !has && !deleted && h('span', { class: 'chip' }, 'No longer kept')];
        const canCompare = has && entry !== this.kept[0], restoring = has && !isCurrent && button('', () => this.restore(entry), 'Restore…', hidden.cloneNode(true));
        if (restoring) restoring.id = `restore-${entry.version}`;
        return h('li', { class: 'item', 'data-test': 'version-row' }, h('div', { class: 'grow' }, h('div', { class: 'row' }, timeElement(time, exactTime), chips),
            h('div', { class: 'small muted', dir: 'auto' }, deviceText(device, this.here))),
            h('div', { class: 'row' }, canCompare && button('quiet', () => this.compareWith(entry.version), 'Compare', hidden), restoring));
    }
    async compareWith(version) {
        [this.from, this.to] = [version, this.kept[0].version];
        this.drawChoices();
        await this.drawResult();
        this.compare.scrollIntoView({ block: 'nearest' });
    }
    drawChoices() {
        const option = ({ version, changed_at: time, device }) => h('option', { value: version }, `${exactTime(time)}, ${deviceText(device, this.here)}`);
        const select = (label, side) => {
            const input = h('select', { value: this[side], onchange: () => { this[side] = input.value; this.drawResult(); } }, this.kept.map(option));
            return field(label, input);
        };
        fill(this.choices, this.kept.length > 1 && [select('Compare', 'from'), select('With', 'to')]);
    }
    async drawResult() {
        const turn = this.turn += 1, [from, to] = [this.find(this.from), this.find(this.to)];
        if (!from || !to) return fill(this.result, h('p', { class: 'muted' }, this.kept.length ? 'This preset has one version so far. Later changes are compared here.' : 'No document is kept.'));
        try {
            const [a, b] = await Promise.all([this.documentOf(from), this.documentOf(to)]), list = differences(a, b);
            if (turn !== this.turn) return undefined;
            announce(list.length ? `${plural(list.length, 'difference')}.` : 'No difference.');
            return fill(this.result, list.length ? differenceTable(list, [exactTime(from.changed_at), exactTime(to.changed_at)], 'Differences') : h('p', { class: 'muted' }, 'Both versions have the same values.'));
        } catch (/** @type {any} */ problem) {
            if (turn !== this.turn || problem.code === 'cancelled') return undefined;
            return fill(this.result, problem.status === 410 ? emptyState({ title: 'This document is no longer kept', text: 'The server keeps the documents of the last versions only. Choose a newer one.' })
                : errorState(problem, () => this.drawResult()));
        }
    }

    /** After news: what is compared stays, unless it was the newest version. */
    async look() {
        const current = this.versions[0], row = rowOf(this.id);
        if (row ? row.version === current.version : current.deleted) return;
        const wasNewest = this.to === this.kept[0]?.version;
        await this.read().catch(() => {});
        if (wasNewest || !this.find(this.to)) this.to = this.kept[0]?.version ?? '';
        if (!this.find(this.from)) this.from = this.kept[1]?.version ?? '';
        await this.draw();
    }
    /** @param {Version} entry */
    async restore(entry) {
        const [current] = this.versions, [then, stands] = await Promise.all([this.documentOf(entry), current.deleted ? null : this.documentOf(current)]);
        const effect = stands && differences(stands, then);
        if (effect?.length === 0) return toast('The current version has the same values. Nothing would change.');
        const body = effect ? differenceTable(effect, ['Now', 'After the restore'], 'Effect') : h('p', { dir: 'auto' }, `${then.name} comes back on all devices.`);
        if (!await ask({ title: `Restore the version of ${exactTime(entry.changed_at)}?`, body, actions: [{ label: 'Restore', value: true, kind: 'primary' }] })) return undefined;
        try {
            const version = await putBack(this.id, then, current.version);
            await this.news();
            return toast('The version is restored.', { action: { label: 'Undo', run: undoing(() => this.undo(current, version)) } });
        } catch (/** @type {any} */ problem) {
            if (problem.status !== 412) return toast(refusalText(problem));
            await this.news();
            return toast('Another device has changed this preset meanwhile. Look at the effect again.');
        }
    }
    /** The server restores byte for byte, with the time of the edit as well. @param {Version} before @param {string} version */
    async undo(before, version) {
        const ifMatch = { ifMatch: version };
        await (before.deleted ? request('DELETE', this.path, ifMatch) : request('POST', `${this.path}/restore`, { json: { version: before.version }, ...ifMatch }));
        await this.news();
        toast('The restore is undone.');
    }
    async news() {
        await pull().catch(() => {});
        if (!this.signal.aborted) await this.look();
    }
}
