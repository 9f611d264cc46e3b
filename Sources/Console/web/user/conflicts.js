// Edits that lost a conflict: what stands, what was lost, and a choice for each member.
import { get, id as part, Problem, request } from './api.js';
import { navigate } from './app.js';
import { differences, numberOf, parse, same, at, shown, tagOf, withMember } from './documents.js';
import { changed, pull, watch } from './reading.js';
import { deviceText, radio, refusalText, rowOf } from './saving.js';
import { session } from './session.js';
import { pathLabel, plural, timeElement, timeText } from './texts.js';
import { announce, ask, button, emptyState, fill, h, icon, keyed, toast } from './view.js';

const rowsMax = 200;

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ params, signal }) {
    const here = await session.deviceID();
    return params.id ? one(params.id, params.digest, here, signal) : all(here, signal);
}

/** @param {string} here this browser's device @param {AbortSignal} signal */
async function all(here, signal) {
    const list = h('ul', { class: 'list rows', 'aria-label': 'Conflicts' }), rest = h('div', { class: 'stack' });
    const intro = h('p', { class: 'muted' }, 'These edits lost against another one. Each is kept until you decide.');
    let conflicts = /** @type {any[]} */ ([]), next = null;
    const page = (before) => get('conflicts', { query: { before }, signal });
    const draw = () => {
        list.hidden = intro.hidden = conflicts.length === 0;
        keyed(list, conflicts, ({ configuration_id: id, digest, configuration_name: name }) => `${id} ${digest} ${name}`, (conflict) => conflictRow(conflict, here));
        fill(rest, conflicts.length === 0 && emptyState({ title: 'Nothing was lost', text: 'An edit that a device sent without asking, and that lost against another one, is kept here. What you decide while you save is not.' }), next && button('', more, 'Show more'));
    };
    const more = async () => {
        const answer = await page(next);
        [conflicts, next] = [[...conflicts, ...answer.conflicts], answer.next];
        draw();
    };
    const read = async () => {
        ({ conflicts, next } = await page());
        draw();
    };
    await read();
    watch('conflicts', () => read().catch(() => {}), signal);  // the frame tells of a lost connection
    return { title: 'Conflicts', content: h('div', { class: 'page narrow' }, h('div', { class: 'stack' }, h('h1', null, 'Conflicts'), intro), list, rest) };
}
function conflictRow({ configuration_id: id, configuration_name: name, digest, edited_at: edited, device }, here) {
    const from = h('span', { class: 'small muted' }, h('span', { dir: 'auto' }, deviceText(device, here)), ', edited ', timeElement(edited));
    return h('li', { 'data-test': 'conflict-row' }, h('a', { class: 'item', href: `#/conflicts/${part(id)}/${part(digest)}` },
        h('span', { class: 'grow' }, h('strong', { dir: 'auto' }, name ?? 'A deleted preset')), ' ', from));
}

/** The lost document, exact; pages may be large, so they are read one by one. */
async function findConflict(path, digest, signal) {
    for (let before; ;) {
        const page = parse((await request('GET', `${path}/conflicts`, { query: { before, limit: 20 }, as: 'text', signal })).data);
        const found = page.conflicts.find((conflict) => conflict.digest === digest);
        if (found || !page.has_more) return found ?? null;
        before = page.next;
    }
}
/** The newest version, with its exact document unless it is a deletion. */
async function newest(path, signal) {
    const { versions: [current] } = await get(`${path}/versions`, { query: { limit: 1 }, signal });
    return { version: current.version, document: current.deleted ? null : await documentOf(path, current.version, signal) };
}
async function documentOf(path, version, signal) {
    const { data, headers } = await request('GET', `${path}/versions/${numberOf(version)}`, { as: 'text', signal });
    if (![version, undefined].includes(tagOf(headers))) throw new Problem(410, 'version-pruned', 'This version is not in the history any more', 'The server was restored from a backup.');
    return parse(data);
}

async function one(id, digest, here, signal) {
    const path = `configurations/${part(id)}`, conflict = await findConflict(path, digest, signal).catch((problem) => {
        if (problem.status !== 404) throw problem;
        return null;
    });
    if (!conflict) return { title: 'Conflict', content: resolved() };
    const page = new Conflict(id, conflict, here, signal);
    await page.read();
    watch('configurations', () => page.look(), signal);
    return { title: `Conflict in ${page.name()}`, content: page.content };
}
const resolved = () => h('div', { class: 'page narrow' }, h('h1', null, 'Conflict'), emptyState({ title: 'This conflict is resolved', text: 'Somebody has decided, or the server keeps newer ones only.',
    actions: [h('a', { class: 'button', href: '#/conflicts' }, 'All conflicts')] }));

class Conflict {
    /** @type {Set<string>} members whose lost value is chosen */ chosen = new Set();
    /** @type {import('./documents.js').Difference[]} */ list = [];
    rowsMax = rowsMax;
    heading = h('h1', { dir: 'auto' });
    notes = h('div');
    rows = h('div', { class: 'stack' });
    actions = h('div', { class: 'row' });

    constructor(id, conflict, here, signal) {
        Object.assign(this, { id, path: `configurations/${part(id)}`, conflict, lost: conflict.document, signal });
        const back = h('a', { class: 'row back', href: '#/conflicts' }, icon('back'), 'Conflicts'), { device, edited_at: edited } = conflict;
        const origin = h('p', { class: 'muted' }, 'Lost edit of ', h('span', { dir: 'auto' }, deviceText(device, here)), ', ', timeElement(edited));
        this.content = h('div', { class: 'page narrow' }, h('div', { class: 'stack' }, back, this.heading, origin, this.notes), this.rows, this.actions);
    }
    name() { return (this.current?.document ?? this.lost).name; }

    /** Reads what stands now, and the version against which the edit lost if it is another one. */
    async read() {
        const { path, signal, conflict } = this;
        const current = await newest(path, signal);
        this.base ??= await documentOf(path, conflict.base_version, signal).catch((problem) => {
            if (![404, 410].includes(problem.status)) throw problem;
            return undefined;
        });
        // Not before all is read: a decision is about the values that are shown.
        this.current = current;
        this.list = this.current.document ? differences(this.current.document, this.lost) : [];
        this.draw();
    }
    /** @param {any} [refusal] the Problem by which the server has another version */
    async look(refusal) {
        const { version, document } = this.current, row = rowOf(this.id);
        if (!refusal && (row ? row.version === version : !document)) return;
        const problem = await this.read().catch((error) => error) ?? refusal;
        if (this.signal.aborted) return;
        if (this.current.version !== version) this.tell('Another device has changed this preset meanwhile. Look at the current values again.');
        else if (refusal) this.refused(problem);
    }
    refused(problem) { this.tell(`${problem.title}. ${refusalText(problem)}`); }
    draw() {
        fill(this.heading, `Conflict in ${this.name()}`);
        if (!this.current.document) this.drawDeleted(); else if (this.list.length === 0) this.drawEqual(); else this.drawChoices();
    }
    drawDeleted() {
        fill(this.rows, h('p', null, 'The preset was deleted. The lost edit can bring it back.'), this.facts());
        fill(this.actions, button('primary', () => this.take(), 'Bring it back'), button('', () => this.drop(), 'Leave it deleted'));
    }
    drawEqual() {
        fill(this.rows, h('p', null, 'The current version has the same values by now.'));
        fill(this.actions, button('primary', () => this.removed('The conflict is resolved.'), 'Done'));
    }
    drawChoices() {
        const left = this.list.length - this.rowsMax;
        fill(this.rows, this.list.slice(0, this.rowsMax).map((difference, index) => this.choice(difference, index)),
            left > 0 && button('', async () => { this.rowsMax = this.list.length; this.draw(); }, `Show ${plural(left, 'more setting')}`));
        fill(this.actions, button('primary', () => this.mix(), 'Save the mix'), button('', () => this.take(), 'Take the lost one'), button('', () => this.drop(), 'Keep the current one'));
    }
    choice({ pointer, a: stands, b: lost }, index) {
        const pick = (isLost, name, value, other) => radio(`member-${index}`, isLost === this.chosen.has(pointer), `${name}: ${shown(pointer, value, other)}`,
            () => { if (isLost) this.chosen.add(pointer); else this.chosen.delete(pointer); });
        const base = at(this.base, pointer), isOther = this.base && !same(base, stands) && !same(base, lost);
        return h('fieldset', { class: 'choice' }, h('legend', { dir: 'auto' }, pathLabel(pointer)), pick(false, 'Current', stands, lost), pick(true, 'Lost', lost, stands),
            isOther && h('p', { class: 'hint', dir: 'auto' }, `When the edit lost: ${shown(pointer, base, lost)}`));
    }
    facts() {
        return h('dl', { class: 'facts card' }, differences({}, this.lost).slice(0, rowsMax).map(({ pointer, b }) =>
            h('div', null, h('dt', { dir: 'auto' }, pathLabel(pointer)), h('dd', { dir: 'auto' }, shown(pointer, b)))));
    }

    async drop() {
        const actions = [{ label: 'Discard the edit', value: true, kind: 'danger' }];
        if (!await ask({ title: 'Discard the lost edit?', body: 'Nobody can bring it back.', actions })) return;
        await this.removed(this.current.document ? 'The current version stays.' : 'The preset stays deleted.');
    }
    /** The lost document as it was sent: the server takes it off the list by itself. */
    async take() {
        if (await this.put(this.lost)) await this.left('The lost edit is back. What it replaced is in the history.');
    }
    async mix() {
        const chosen = this.list.filter(({ pointer }) => this.chosen.has(pointer));
        if (chosen.length === 0) return this.tell('Choose at least one lost value, or keep the current version.');
        if (chosen.length === this.list.length) return this.take();
        const mixed = chosen.reduce((made, { pointer, b }) => withMember(made, pointer, b), this.current.document);
        if (await this.put({ ...mixed, modified_at: timeText() })) await this.removed('The mix is saved. What it replaced is in the history.');
        return undefined;
    }
    /** Writes over the version that the person sees. @param {any} document */
    async put(document) {
        try {
            const { headers } = await request('PUT', this.path, { json: { configuration: document }, ifMatch: this.current.version });
            this.current.version = tagOf(headers) ?? this.current.version;  // for another try, if what follows fails
            return true;
        } catch (/** @type {any} */ problem) {
            if ([409, 412].includes(problem.status)) await this.look(problem); else this.refused(problem);
            return false;
        }
    }
    tell(text) {
        fill(this.notes, h('div', { class: 'note warn' }, text));
        announce(text);
        this.notes.scrollIntoView({ block: 'nearest' });
    }
    async removed(text) {
        await request('DELETE', `${this.path}/conflicts/${this.conflict.digest}`).catch((problem) => { if (problem.status !== 404) throw problem; });
        await this.left(text);
    }
    async left(text) {
        changed('conflicts');
        if (!this.signal.aborted) navigate('#/conflicts');
        toast(text);
        await pull().catch(() => {});
    }
}
