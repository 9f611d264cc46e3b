// Uploads of this browser: chosen files, two at a time. Each continues after a lost connection, an ended session or a reload.
import { id as part, request } from './api.js';
import { setBadge } from './app.js';
import { changed, watch } from './reading.js';
import { isSame, send } from './sending.js';
import { locked, session, stored } from './session.js';
import { bytes, date, problemText } from './texts.js';
import { announce, ask, h, toast } from './view.js';

/** @typedef {{ id: string, name: string, size: number, type: string, modified: number, metadata: string|null, piece: number, pieces: (string|undefined)[] }} Entry
 *    kept in IndexedDB; `metadata` is the JSON of a recording that failed, whose file is sent again
 *  @typedef {'waiting'|'checking'|'sending'|'cut'|'finishing'|'choose'|'elsewhere'|'failed'|'done'} State
 *  @typedef {{ key: string, entry: Entry, file: File|null, state: State, done: number, flying: Map<number, number>, problem: any, stop: AbortController,
 *    since: number, from: number, enter: (state: State, problem?: any) => void, moved: () => void }} Row */

const TYPES = {
    mov: 'video/quicktime', mp4: 'video/mp4', m4v: 'video/x-m4v', jpg: 'image/jpeg', jpeg: 'image/jpeg', heic: 'image/heic', heif: 'image/heif', png: 'image/png',
    dng: 'image/x-adobe-dng', m4a: 'audio/mp4', wav: 'audio/wav', aac: 'audio/aac', flac: 'audio/flac', mp3: 'audio/mpeg',
};
const pieceLeast = 8 * 1024 * 1024, piecesMost = 10_000, filesAtOnce = 2, lockWait = 2_000;
const values = stored('uploads');
/** @type {Map<string, Row>} */
const rows = new Map();
/** @type {Set<() => void>} */
const painters = new Set();
export const isBusy = ({ state }) => ['waiting', 'checking', 'sending', 'cut', 'finishing'].includes(state);
/** Uploads that this tab has under way. */
export const active = () => [...rows.values()].filter(isBusy).length;

function paint() {
    painters.forEach((draw) => draw());
    setBadge('recordings', [...rows.values()].filter((row) => isBusy(row) || row.state === 'choose').length);
}
let repaint = 0;
/** Progress is drawn four times a second. */
const paintSoon = () => { repaint ||= setTimeout(() => { repaint = 0; painters.forEach((draw) => draw()); }, 250); };
/** @param {string} key @param {Entry} entry @param {File|null} file */
function rowOf(key, entry, file) {
    /** @type {Row} */
    const row = { key, entry, file, state: 'waiting', done: 0, flying: new Map(), problem: null, stop: new AbortController(), since: 0, from: 0, moved: paintSoon,
        enter: (state, problem = null) => {
            if (state === 'cut' && row.state !== 'cut') announce(`The upload of ${entry.name} is interrupted. It continues by itself.`);
            Object.assign(row, { state, problem }, state === 'sending' && { since: performance.now(), from: row.done });
            paint();
        } };
    return row;
}

/** A chooser of files; none if it is closed. @param {{ multiple?: boolean }} [options] @returns {Promise<File[]>} */
export const pickFiles = ({ multiple = true } = {}) => new Promise((resolve) => {
    const ended = () => { input.remove(); resolve([...input.files]); };
    const accept = Object.keys(TYPES).map((ending) => `.${ending}`).join();
    const input = h('input', { type: 'file', multiple, accept, hidden: true, 'aria-label': 'Files to upload', onchange: ended, oncancel: ended });
    document.body.append(input);
    input.click();
});
/** Begins uploads, or continues those that wait for their file. `again` names a failed recording. @param {Iterable<File>} files @param {{ id: string, metadata: string }} [again] */
export async function add(files, again) {
    const user = await session.userID();
    for (const file of files) {
        const known = [...rows.values()].find(({ state, entry }) => state === 'choose' && entry.name === file.name && entry.size === file.size);
        if (known) { resume(known, file); continue; }
        const { name, size, lastModified: modified } = file, ending = name.split('.').at(-1)?.toLowerCase() ?? '', type = Object.hasOwn(TYPES, ending) ? TYPES[ending] : '';
        const entry = { id: again?.id ?? crypto.randomUUID().toUpperCase(), name, size, modified, metadata: again?.metadata ?? null, type,
            piece: Math.max(pieceLeast, Math.ceil(size / piecesMost)), pieces: [] };
        const row = rowOf(`${user}/${entry.id}`, entry, file);
        rows.set(row.key, row);
        const refusal = !entry.type ? `This type of file is not stored. Choose one of these: ${Object.keys(TYPES).join(', ')}.` : entry.size === 0 ? 'The file is empty.' : '';
        if (refusal) row.enter('failed', { isRefused: true, detail: refusal }); else begin(row);
    }
}
/** @param {Row} row @param {File} file */
function resume(row, file) {
    const { name, size, modified } = row.entry;
    if (file.name !== name || file.size !== size) return toast(`That is another file. Choose ${name}, ${bytes(size)}, of ${date(modified)}.`);
    row.file = file;
    begin(row, true);
}

let running = 0;
const queue = /** @type {(() => void)[]} */ ([]);
/** Keeps the upload's lock to its end, so that no other tab sends it. @param {Row} row @param {boolean} [isResumed] */
async function begin(row, isResumed = false) {
    row.stop = new AbortController();
    row.enter('waiting');
    const isAnew = await locked(`upload ${row.key}`, { signal: AbortSignal.timeout(lockWait) }, async () => {
        // Another tab may have sent more since this one looked.
        if (isResumed) row.entry = await values.get(row.key).catch(() => {}) ?? row.entry;
        await values.put(row.key, row.entry).catch(() => {});
        while (running >= filesAtOnce) await new Promise((resolve) => queue.push(() => resolve(undefined)));
        running += 1;
        try {
            return await turn(row, isResumed);
        } catch (/** @type {any} */ problem) {
            if (!row.stop.signal.aborted) fail(row, problem);
        } finally {
            running -= 1;
            queue.shift()?.();
        }
    }).catch(() => {  // another tab has the lock
        row.file = null;
        row.enter('elsewhere');
        lookLater(row.key);
    });
    if (isAnew) begin(row);
}
/** Returns whether it has to begin anew, since the file is another one. @param {Row} row @param {boolean} isResumed */
async function turn(row, isResumed) {
    row.stop.signal.throwIfAborted();
    if (isResumed) {
        row.enter('checking');
        if (!await isSame(row)) {
            toast(`${row.entry.name} has changed since. Its upload begins anew.`);
            await startAnew(row);
            return true;
        }
    }
    await send(row);
    if (row.stop.signal.aborted) return false;
    row.done = row.entry.size;
    row.enter('done');
    announce(`${row.entry.name} is uploaded.`);
    await values.remove(row.key).catch(() => {});
    changed('recordings');
    return false;
}
/** @param {Row} row @param {any} problem */
function fail(row, problem) {
    if (problem instanceof DOMException) {
        row.file = null;
        row.enter('choose', { detail: 'The file was moved or changed, so it can\'t be read any more. Choose it again.' });
    } else row.enter('failed', problem);
    announce(`The upload of ${row.entry.name} has stopped. ${problemText(row.problem)}`);
}
/** Takes another id: that of a deleted recording is never used again. @param {Row} row */
async function startAnew(row) {
    const { key, entry } = row;
    if (!entry.metadata) await drop(entry.id).catch(() => {});
    await values.remove(key).catch(() => {});
    rows.delete(key);
    Object.assign(entry, { id: crypto.randomUUID().toUpperCase(), pieces: [], metadata: null });
    Object.assign(row, { key: `${key.split('/')[0]}/${entry.id}`, done: 0 });
    rows.set(row.key, row);
}

/** Deletes what was sent. A recording that is complete stays, and gets 412. @param {string} id */
const drop = (id) => request('DELETE', `recordings/${part(id)}`, { ifNoneMatch: '*' });
/** @param {string} name @param {string} body */
export const mayCancel = (name, body) => ask({ title: `Cancel the upload of ${name}?`, body,
    actions: [{ label: 'Cancel the upload', value: true, kind: 'danger' }], cancel: 'Keep it' });
/** @param {string} id */
export async function cancel(id) {
    await drop(id).catch((problem) => { if (problem.status !== 404) toast(problem.status === 412 ? 'It is complete by now.' : problemText(problem)); });
    changed('recordings');
}
/** The recording of that id is deleted. @param {string} id */
export function forget(id) {
    for (const [key, { entry, state }] of rows) if (state === 'done' && entry.id.toLowerCase() === id.toLowerCase()) rows.delete(key);
    paint();
}
/** @param {Row} row */
export async function discard(row) {
    const isOpen = row.state !== 'done' && !row.problem?.isRefused;
    if (isOpen && !await mayCancel(row.entry.name, 'What was sent of it is deleted from the server. The file on your device stays.')) return;
    row.stop.abort();
    rows.delete(row.key);
    paint();
    await values.remove(row.key).catch(() => {});
    if (!isOpen || row.entry.metadata) return;  // the recording itself has that id
    await cancel(row.entry.id);
}
/** @param {Row} row */
export async function tryAgain(row) {
    if (['recording-deleted', 'recording-exists'].includes(row.problem.code)) await startAnew(row);
    begin(row);
}
/** @param {Row} row */
export async function choose(row) {
    const [file] = await pickFiles({ multiple: false });
    if (file) resume(row, file);
}
/** Refreshes when the tab with that upload has ended: also this one, before a reload. @param {string} key */
const lookLater = (key) => locked(`upload ${key}`, {}, async () => {}).then(refresh).catch(() => {});
/** Shows what earlier pages and other tabs have kept. */
async function refresh() {
    const user = await session.userID(), kept = await values.of(user), keys = kept.map(([key]) => key);
    for (const row of [...rows.values()]) if (!row.file && !keys.includes(row.key)) rows.delete(row.key);
    for (const [key, entry] of kept) {
        if (rows.get(key)?.file) continue;
        const isFree = await locked(`upload ${key}`, { ifAvailable: true }, async (/** @type {any} */ lock) => Boolean(lock));
        if (!isFree && rows.get(key)?.state !== 'elsewhere') lookLater(key);
        if (!rows.get(key)?.file) rows.set(key, Object.assign(rows.get(key) ?? rowOf(key, entry, null), { state: isFree ? 'choose' : 'elsewhere' }));
    }
    paint();
}
/** Calls `draw` with the uploads now, and after each change until the signal aborts. @param {(rows: Row[]) => void} draw @param {AbortSignal} signal */
export function watchRows(draw, signal) {
    const painter = () => draw([...rows.values()]);
    painters.add(painter);
    signal.addEventListener('abort', () => painters.delete(painter), { once: true });
    painter();
    refresh().catch(() => {});
}
let isStarted = false;
/** Called after each login. */
export async function start() {
    if (!isStarted) {
        watch('recordings', () => refresh().catch(() => {}));
        addEventListener('beforeunload', (event) => { if (active() > 0 && location.hash !== '#/login') event.preventDefault(); });
    }
    isStarted = true;
    await refresh();
}
