// Writes of presets: the changed members alone. Two edits of the same member are a question, never a loss.
import { get, id as part, Problem, request } from './api.js';
import { at, mergePatch, parse, same, shown, tagOf, textOf, withMember } from './documents.js';
import { meaning } from './form.js';
import { presets, pull } from './reading.js';
import { session } from './session.js';
import { number, pathLabel, problemText, timeText } from './texts.js';
import { ask, h, toast } from './view.js';

/** @typedef {{ text: string, was?: string, sent?: string }} Touched   what was typed; as JSON the value that the person saw (absent: not set) and the last one that was sent
 *  @typedef {{ id: string, base: { document: any, version: string|null }, start: string|null, touched: Map<string, Touched>, known: Set<string> }} Edit
 *    `start`: a preset that the server does not have yet. `known`: the members that this tab has touched, also those that are as before again
 *  @typedef {{ pointer: string, text: string, value: any, was: any, sent: any, stands: any }} Change   `stands`: the value at the server */

const path = (id) => `configurations/${part(id)}`;
/** @param {string} id @returns {import('./reading.js').Row|undefined} */
export const rowOf = (id) => presets.rows.get(id.toLowerCase());
/** A device's name, where it is this browser. @param {{ id: string, name: string|null }|null} device @param {string} here the id of this browser's */
export const deviceText = (device, here) => device?.id === here ? 'This browser' : device?.name ?? 'A device without a name';
/** Who made the newest version. @param {string} id */
export const lastAuthor = (id) => Promise.all([get(`${path(id)}/versions`, { query: { limit: 1 }, quiet: true }), session.deviceID()])
    .then(([{ versions }, here]) => versions[0].device?.id === here ? 'Another tab of this browser' : deviceText(versions[0].device, here), () => 'Another device');

/** A refusal for people. @param {any} problem */
export function refusalText(problem) {
    if (problem.code !== 'quota-exceeded') return problemText(problem);
    const { quota, limit, used } = problem.body, room = `${number(used)} of ${number(limit)}`;
    if (quota === 'items') return `The account is full: ${room} presets. Delete one, then save again.`;
    if (quota === 'document_bytes') return `This preset is too large: ${room} bytes.`;
    if (quota === 'history_bytes') return `There is no room for another version: ${room} bytes. Resolve conflicts, or ask the operator of this server.`;
    return `The account is full: ${room}. Ask the operator of this server.`;
}

/** Undoes what nobody has changed since; offers it again where the reason may go. @param {() => Promise<any>} undo @returns {() => Promise<void>} */
export const undoing = (undo) => () => undo().catch((problem) => {
    if (!(problem instanceof Problem) || problem.code === 'cancelled') throw problem;
    if ([404, 409, 410, 412].includes(problem.status)) return toast('Not undone: this preset has changed since.');
    return toast(refusalText(problem), { action: { label: 'Undo', run: undoing(undo) } });
});

/** What was typed and has a meaning. @param {Edit} edit @param {Map<string, import('./form.js').Entry>} entries @returns {Change[]} */
function typedIn(edit, entries) {
    const read = (json) => json === undefined ? undefined : parse(json);
    return [...edit.touched].flatMap(([pointer, { text, was, sent }]) => {
        const entry = entries.get(pointer), { value, error } = entry ? meaning(entry, text) : { error: 'unlisted' };
        return error ? [] : [{ pointer, text, value, was: read(was), sent: read(sent), stands: at(edit.base.document, pointer) }];
    });
}
/** What means the same as the stored value is no change, whoever stored it. @param {Edit} edit @param {Map<string, import('./form.js').Entry>} entries */
export function prune(edit, entries) {
    for (const { pointer, value, stands } of typedIn(edit, entries)) if (same(value, stands)) edit.touched.delete(pointer);
}
/** What saving would change. @param {Edit} edit @param {Map<string, import('./form.js').Entry>} entries */
export const changesOf = (edit, entries) => typedIn(edit, entries).filter(({ value, stands }) => !same(value, stands));
/** Another device set the member to something else. A value that was sent from here may have arrived without an answer. @param {Change} change */
export const clashes = ({ was, sent, stands }) => !same(was, stands) && (sent === undefined || !same(sent, stands));

/**
 * Sends what was typed until it is stored. Returns false if the person goes on typing or gave up; what was typed stays then.
 * @param {Edit} edit @param {Map<string, import('./form.js').Entry>} entries all with a meaning
 */
export async function save(edit, entries) {
    for (let round = 0; ; round += 1) {
        const sent = typedIn(edit, entries), changes = changesOf(edit, entries);
        if (changes.some(clashes)) {
            if (!await settle(edit, entries)) return false;
            continue;
        }
        if (!edit.start && changes.length === 0) return taken(edit, sent);
        for (const { pointer, text, value } of changes) edit.touched.set(pointer, { ...edit.touched.get(pointer), text, sent: textOf(value) });
        try {
            const answer = await (edit.start ? create(edit, changes) : patch(edit, changes));
            Object.assign(edit, { base: answer, start: null });
            return taken(edit, sent);
        } catch (/** @type {any} */ problem) {
            if (![404, 409, 412].includes(problem.status) || round === 5) throw problem;
            if (!await caughtUp(edit, problem)) return false;
        }
    }
}
/** Texts that were typed meanwhile stay. @param {Edit} edit @param {Change[]} sent */
function taken(edit, sent) {
    for (const { pointer, text } of sent) {
        const typed = edit.touched.get(pointer);
        if (typed?.text === text) edit.touched.delete(pointer);
        else if (typed) typed.was = textOf(at(edit.base.document, pointer));
    }
    return true;
}
async function patch(edit, changes) {
    const { data, headers } = await request('PATCH', path(edit.id), { json: mergePatch(changes), type: 'application/merge-patch+json', ifMatch: edit.base.version });
    return written(edit, headers, data.configuration);
}
async function create(edit, changes) {
    const time = timeText(), filled = changes.reduce((made, { pointer, value }) => withMember(made, pointer, value), edit.base.document);
    const document = { ...filled, id: edit.id, created_at: time, modified_at: time };
    const { headers } = await request('POST', 'configurations', { json: { configuration: document } });
    return written(edit, headers, document);
}
/** A proxy may have dropped the tag: then a pull has it. */
async function written(edit, headers, document) {
    const version = tagOf(headers);
    if (version) return { document, version };
    await pull();
    return rowOf(edit.id) ?? { document, version: null };
}
/** After a refusal: takes over what stands there now. @param {Edit} edit @param {any} problem */
async function caughtUp(edit, problem) {
    await pull();
    const row = rowOf(edit.id);
    if (!row) return broughtBack(edit, problem);
    Object.assign(edit, { base: row, start: null });
    return true;
}
async function broughtBack(edit, problem) {
    const deletion = problem.body.version, { version } = edit.base;
    if (!deletion) throw problem;
    const body = `${await lastAuthor(edit.id)} deleted it. Your changes are kept until you decide.`;
    const actions = [version && { label: 'Bring it back with your changes', value: 'restore', kind: 'primary' }, { label: 'Discard your changes', value: 'discard', kind: 'danger' }];
    const choice = await ask({ title: 'This preset was deleted', body, actions: /** @type {any} */ (actions.filter(Boolean)), cancel: 'Decide later' });
    if (choice === 'discard') edit.touched.clear();
    if (choice !== 'restore') return false;
    await request('POST', `${path(edit.id)}/restore`, { json: { version }, ifMatch: deletion });
    await pull();
    edit.base = rowOf(edit.id) ?? edit.base;
    return true;
}

/** A question for each member that two devices changed, with what is typed when it is asked. @param {Edit} edit @param {Map<string, import('./form.js').Entry>} entries */
async function settle(edit, entries) {
    const author = await lastAuthor(edit.id), choices = changesOf(edit, entries).filter(clashes).map((change) => ({ change, isMine: true }));
    if (choices.length === 0) return true;
    const body = h('div', { class: 'stack' }, h('p', null, `${author} saved other values after you began. Choose the one that stays.`), choices.map((choice, index) => {
        const { pointer, value, was, stands } = choice.change;
        const pick = (isMine, name, one, other) => radio(`clash-${index}`, isMine === choice.isMine, `${name}: ${shown(pointer, one, other)}`, () => { choice.isMine = isMine; });
        return h('fieldset', { class: 'choice' }, h('legend', null, pathLabel(pointer)), pick(true, 'Yours', value, stands), pick(false, 'Theirs', stands, value),
            h('p', { class: 'hint', dir: 'auto' }, `Before: ${shown(pointer, was)}`));
    }));
    if (!await ask({ title: 'Another device changed the same', body, actions: [{ label: 'Save', value: true, kind: 'primary' }], cancel: 'Keep editing' })) return false;
    for (const { change: { pointer, text, stands }, isMine } of choices) {
        if (isMine) edit.touched.set(pointer, { text, was: textOf(stands) }); else edit.touched.delete(pointer);
    }
    return true;
}
/** @param {string} name @param {boolean} checked @param {string} text @param {() => void} chosen */
export const radio = (name, checked, text, chosen) =>
    h('label', { class: 'check' }, h('input', { type: 'radio', name, checked, onchange: chosen }), h('span', { dir: 'auto' }, text));

/** Makes a document current again, as an edit of now. Returns the version's tag. @param {string} id @param {any} document @param {string} ifMatch */
export async function putBack(id, document, ifMatch) {
    const { headers } = await request('PUT', path(id), { json: { configuration: { ...document, modified_at: timeText() } }, ifMatch });
    return (await written({ id }, headers, document)).version;
}
/** The copies whose answers were lost, by their sources: another try makes no second one. @type {Map<string, any>} */
const copies = new Map();
/** A copy with an id of its own, exact to the last digit. @param {string} id */
export async function duplicate(id) {
    const source = parse((await request('GET', path(id), { as: 'text' })).data), time = timeText();
    const copy = copies.get(id) ?? { ...source, id: crypto.randomUUID(), name: `${[...source.name].slice(0, 95).join('')} copy`, created_at: time, modified_at: time };
    copies.set(id, copy);
    await request('POST', 'configurations', { json: { configuration: copy }, key: copy.id }).catch((problem) => {
        if (problem.status >= 400 && problem.status < 500) copies.delete(id);
        throw problem;
    });
    copies.delete(id);
    await pull();
    return { id: copy.id, name: copy.name };
}
/** Deletes the version that the person sees; returns what brings it back, or null. @param {string} id @param {string} version */
export async function remove(id, version) {
    for (;;) {
        try {
            const { headers } = await request('DELETE', path(id), { ifMatch: version });
            const restored = version, deletion = tagOf(headers);
            await pull();
            return deletion ? () => request('POST', `${path(id)}/restore`, { json: { version: restored }, ifMatch: deletion }).then(pull) : null;
        } catch (/** @type {any} */ problem) {
            if (problem.status === 404) return pull().then(() => null);
            if (problem.status !== 412) throw problem;
            await pull();
            const row = rowOf(id), question = `${await lastAuthor(id)} has changed this preset since you opened it.`;
            if (!row || !await ask({ title: 'Delete the newer version?', body: question, actions: [{ label: 'Delete', value: true, kind: 'danger' }] })) return null;
            version = row.version;
        }
    }
}
