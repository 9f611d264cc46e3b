// The account's presets in memory, kept current by deltas. One visible tab waits for notices and tells the others.
import { base, get, hooks, network, request } from './api.js';
import { locked, tabs } from './session.js';
import { label, now, word } from './texts.js';

/** @typedef {{ id: string, document: any, version: string, search: string }} Row
 *  @typedef {'configurations'|'recordings'|'devices'|'conflicts'} Subject */

/** Rows by id in lower case; `at` is when they were right; `problem` is why they may be old. */
export const presets = {
    /** @type {Map<string, Row>} */ rows: new Map(),
    /** @type {Set<string>} ids in lower case, in the order of their deletion */ deleted: new Set(),
    /** @type {Date|null} */ at: null,
    /** @type {any} */ problem: null,
    /** Ends after the first pull; throws its Problem. */
    ready: async () => { if (!presets.at) await pullHere(); },
};
/** @type {any} the last answer of `realtime/state` */
let state = null;
let token = '';
const heads = /** @type {string[]} */ ([]);
/** @type {Map<Subject, Set<() => void>>} */
const watchers = new Map(['configurations', 'recordings', 'devices', 'conflicts'].map((subject) => [/** @type {Subject} */ (subject), new Set()]));
/** `noticePause` bounds the requests while streams report. */
const pollPause = 60_000, noticeWait = 50, noticePause = 250;

hooks.head = (url, head) => {
    if (url.startsWith(new URL('configurations', base).href) && !heads.includes(head)) heads.push(head);
    heads.splice(0, heads.length - 32);
};

/** Calls `change` after news, until the signal aborts. @param {Subject} subject @param {() => void} change @param {AbortSignal} [signal] */
export function watch(subject, change, signal) {
    if (signal?.aborted) return;
    watchers.get(subject)?.add(change);
    signal?.addEventListener('abort', () => watchers.get(subject)?.delete(change), { once: true });
}
/** Calls `again` after the next pull that succeeds, if waiting may help against the problem. @param {any} problem @param {() => void} again @param {AbortSignal} signal */
export function whenRecovered({ status }, again, signal) {
    const over = new AbortController();
    if (status === 0 || status >= 429) watch('configurations', () => { if (!presets.problem) { over.abort(); again(); } }, AbortSignal.any([signal, over.signal]));
}
/** @param {...Subject} subjects */
const notify = (...subjects) => subjects.forEach((subject) => [...watchers.get(subject) ?? []].forEach((change) => change()));
/** After a write to recordings, devices or conflicts: this tab's other parts and the other tabs read again. @param {Subject} subject */
export function changed(subject) {
    notify(subject);
    tabs.postMessage({ kind: 'changed', subject });
}
/** Devices online, with their status. @returns {{ device_id: string, status: any }[]} */
export const devices = () => state?.devices ?? [];
/** Streams that run. @returns {{ device_id: string, session_id: string }[]} */
export const streams = () => state?.streams ?? [];

/** Text without case and accents, for searching. @param {string} text */
export const searchable = (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
/** Made once for each version: the name, the words of listed values, and names of members and texts at the top, up to a bound. */
function searchText(document) {
    const { id, created_at, modified_at, ...members } = document;
    const texts = Object.entries(members).flatMap(([key, value]) => typeof value === 'string' ? [value.slice(0, 200), word(value)]
        : typeof value === 'number' ? [String(value)] : [label(key)]);
    return searchable(texts.join(' ').slice(0, 2_000));
}

let ended = Promise.resolve();
/** @type {Promise<void>|null} */
let queued = null;
/** Calls during a pull share the next one. @returns {Promise<void>} */
function pullHere() {
    return queued ??= ended = ended.catch(() => {}).then(() => {
        queued = null;
        return pulled();
    });
}
async function pulled() {
    try {
        const moved = apply(await delta());
        [presets.at, presets.problem] = [now(), null];
        if (moved) notify('configurations', 'conflicts'); else notify('configurations');
    } catch (problem) {
        presets.problem = problem;
        notify('configurations');
        throw problem;
    }
}
/** All pages of a pull. A page with `reset` begins anew. */
async function delta() {
    const sent = [...heads], seen = sent.join(',');
    let cursor = token, isFull = !token, items = new Map();
    for (;;) {
        const page = await get('configurations', { query: { limit: 500, sync_token: cursor, seen: cursor && seen } }).catch((problem) => {
            if (![400, 414].includes(problem.status) || !cursor) throw problem;
            return null;  // this cursor is of no use: a full set
        });
        if (!page || page.reset) [isFull, items] = [true, new Map()];
        for (const document of page?.configurations ?? []) items.set(document.id.toLowerCase(), { document, version: page.versions[document.id] });
        for (const id of page?.deleted ?? []) items.set(id.toLowerCase(), null);
        cursor = page?.sync_token ?? '';
        if (page && !page.has_more) return { items, isFull, cursor, sent };
    }
}
/** Takes a complete pull over in one step; returns whether it brought anything. */
function apply({ items, isFull, cursor, sent }) {
    if (isFull) for (const id of presets.rows.keys()) if (!items.get(id)) presets.rows.delete(id);
    if (isFull) presets.deleted.clear();
    for (const [id, item] of items) {
        presets.deleted.delete(id);
        if (!item) { presets.rows.delete(id); presets.deleted.add(id); }
        else if (presets.rows.get(id)?.version !== item.version) presets.rows.set(id, { id: item.document.id, ...item, search: searchText(item.document) });
    }
    token = cursor;
    heads.splice(0, heads.length, ...heads.filter((head) => !sent.includes(head)));
    return isFull || items.size > 0;
}
/** After a write of presets: this tab pulls, and the others do. */
export async function pull() {
    tabs.postMessage({ kind: 'rows' });
    await pullHere();
}

/** Heeds a notice; null means that anything may have changed. */
function heed(next) {
    const last = state;
    state = next ?? state;
    const differs = (part) => !next || JSON.stringify(last?.[part]) !== JSON.stringify(next[part]);
    if (!next || next.heads.configurations !== token) freshen();
    if (!next || last?.heads?.recordings !== next.heads.recordings) notify('recordings');
    if (differs('devices') || differs('streams')) notify('devices');
    if (!next) notify('conflicts');
}
/** Pulls now; a hidden page does when it is looked at again. The rows have the Problem. */
function freshen() {
    if (!document.hidden) pullHere().catch(() => {});
}
/** The server answers. A page that shows the contrary pulls, since there may be no news for it. */
const answered = () => { if (presets.problem || !network.online) freshen(); };
/** Reads devices and streams now: a tab that does not wait itself has no state before the first notice. */
export async function readState() {
    heed(await get('realtime/state', { query: { wait_s: 0 } }));
}
const pause = (milliseconds, signal) => new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => { clearTimeout(timer); resolve(undefined); }, { once: true });
});
/** Waits for notices, in one tab for all; polls while the server has none for us. @param {AbortSignal} signal */
async function listen(signal) {
    for (let etag = '', failures = 0; !signal.aborted;) {
        try {
            const answer = await request('GET', 'realtime/state', { query: { wait_s: etag ? noticeWait : 0 }, ifNoneMatch: etag, signal, timeout: (noticeWait + 20) * 1000 });
            if (failures > 0 || answer.status === 304) {
                answered();
                tabs.postMessage({ kind: 'answered' });
            }
            failures = 0;
            if (answer.status === 200) {
                etag = answer.headers.get('etag') ?? '';
                heed(answer.data);
                tabs.postMessage({ kind: 'state', state: answer.data });
            }
            await pause(etag ? noticePause : pollPause, signal);
        } catch (/** @type {any} */ problem) {
            failures += 1;
            if (problem.status === 404) [state, failures, etag] = [null, 3, ''];
            if (problem.status === 429) failures = 3;
            await pause(failures < 3 ? 1000 * 2 ** failures : pollPause, signal);
            if (signal.aborted || failures < 3) continue;
            heed(null);
            tabs.postMessage({ kind: 'state', state: null, isOver: problem.status === 404 });
        }
    }
}
let listening = new AbortController();
/** A visible tab asks for the turn to wait; a hidden one gives it up. */
function attend() {
    listening.abort();
    listening = new AbortController();
    const { signal } = listening;
    if (document.hidden || life.signal.aborted) return;
    locked('notices', { signal }, () => listen(signal)).catch(() => {});
}
/** Does what ends every session, this one too, without a wait that would fail meanwhile. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
export async function withoutWaiting(work) {
    listening.abort();
    return work().finally(attend);
}
let life = new AbortController();
/** Ends all reading: before the session ends. */
export const stop = () => life.abort();
/** Begins after the login. */
export function start() {
    stop();
    life = new AbortController();
    const { signal } = life;
    const look = () => {
        attend();
        if (document.hidden) return;
        freshen();
        notify('recordings', 'devices', 'conflicts');
    };
    document.addEventListener('visibilitychange', look, { signal });
    addEventListener('online', freshen, { signal });
    tabs.addEventListener('message', ({ data }) => {
        if (data.kind === 'rows') freshen();
        if (data.kind === 'changed') notify(data.subject);
        if (data.kind === 'answered') answered();
        if (data.isOver) state = null;
        if (data.kind === 'state') heed(data.state);
    }, { signal });
    signal.addEventListener('abort', () => listening.abort(), { once: true });
    attend();
}
