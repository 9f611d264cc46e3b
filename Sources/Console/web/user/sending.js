// Sends one file in pieces: finds out what the server has, sends the rest, completes it. Waits for lost connections.
import { id as part, Problem, request } from './api.js';
import { base64, stored } from './session.js';
import { timeText } from './texts.js';

/** @typedef {import('./uploads.js').Row} Row */

const partsAtOnce = 3, stalledAfter = 60_000, pauseMost = 60_000, triesMost = 4, completionMost = 600_000;
const values = stored('uploads');
/** Bytes that are there, and those under way. @param {Row} row */
export const sent = (row) => row.done + [...row.flying.values()].reduce((sum, count) => sum + count, 0);
/** The buffer of the piece before: new ones would pile up until they are collected. @type {ArrayBuffer | undefined} */
let spare;
/** @param {Blob} blob */
async function digest(blob) {
    const bytes = await read(blob), sum = await crypto.subtle.digest('SHA-256', bytes);
    spare = bytes.buffer;
    return base64(sum);
}
/** Some browsers fill only buffers of their own. @param {Blob} blob @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function read(blob) {
    let buffer = spare && spare.byteLength >= blob.size ? spare : new ArrayBuffer(blob.size), length = 0, reader;
    spare = undefined;
    try {
        reader = blob.stream().getReader({ mode: 'byob' });
    } catch {
        return new Uint8Array(await blob.arrayBuffer());
    }
    while (length < blob.size) {
        const { value, done } = await reader.read(new Uint8Array(buffer, length, blob.size - length), { min: blob.size - length });
        if (done) break;
        ({ buffer } = value);
        length += value.length;
    }
    return new Uint8Array(buffer, 0, length);
}

/** Whether the chosen file has the pieces that were sent before a reload. @param {Row} row */
export async function isSame(row) {
    const { entry: { piece, pieces, size }, stop: { signal } } = row, file = /** @type {File} */ (row.file);
    for (let index = 0; index < pieces.length; index += 1) {
        signal.throwIfAborted();
        if (pieces[index] && pieces[index] !== await digest(file.slice(index * piece, (index + 1) * piece))) return false;
        row.done = Math.min((index + 1) * piece, size);
        row.moved();
    }
    return true;
}

/** Sends what is missing until nothing is. Throws what waiting can't mend. @param {Row} row */
export async function send(row) {
    const { signal } = row.stop;
    for (let failures = 0, best = -1; !signal.aborted;) {
        try {
            if (await isFinished(row)) return;
            failures = 0;
        } catch (/** @type {any} */ problem) {
            row.flying.clear();
            failures = row.done > best ? 1 : failures + 1;
            best = Math.max(best, row.done);
            if (signal.aborted || !(problem instanceof Problem) || isFinal(problem, failures)) throw problem;
            if (failures > 1 && await isRefusedByStore(problem)) throw refusal();
            row.enter('cut', problem);
            await pause(Math.min(1000 * 2 ** (failures - 1), pauseMost), signal);
        }
    }
}
/** The API's own refusals stay; those of a piece may pass. @param {any} problem @param {number} failures */
function isFinal({ status, code, piece }, failures) {
    if (status === 507 || code === 'cancelled') return true;
    if (status < 400 || status >= 500 || status === 408 || status === 429) return false;
    return piece || code === 'upload-incomplete' ? failures > triesMost : true;
}
/** Whether the store of files answers everybody but this page. @param {any} problem */
const isRefusedByStore = async ({ status, piece }) => Boolean(piece && status === 0 && !piece.moved && new URL(piece.url).origin !== location.origin)
    && fetch(piece.url, { mode: 'no-cors', cache: 'no-store' }).then(() => true, () => false);
const refusal = () => new Problem(0, 'store-refuses', 'The store refuses this page', `The store of files answers, but not to this page. Its CORS rule must allow `
    + `${location.origin}: docs/operating.md, "Files of recordings", has the rule. What was sent is kept.`);
/** Ends early when the connection is back. @param {number} milliseconds @param {AbortSignal} signal */
const pause = (milliseconds, signal) => new Promise((resolve) => {
    const over = () => {
        clearTimeout(timer);
        removeEventListener('online', over);
        signal.removeEventListener('abort', over);
        resolve(undefined);
    };
    const timer = setTimeout(over, milliseconds);
    addEventListener('online', over);
    signal.addEventListener('abort', over);
});

/** One round. Returns whether the recording is complete. @param {Row} row */
async function isFinished(row) {
    const { entry, stop: { signal } } = row, path = `recordings/${part(entry.id)}`;
    const asked = { file_size: entry.size, content_type: entry.type, part_size: entry.piece };
    const { data: grant } = await request('POST', `${path}/upload-url`, { json: asked, signal }).catch((problem) => {
        if (problem.code === 'recording-exists' && problem.body.current) return { data: null };  // it was completed, and the answer was lost
        throw problem;
    });
    if (!grant) return true;
    row.done = storedBytes(entry, grant);
    row.enter('sending');
    if (grant.multipart?.parts.length) {
        if (grant.multipart.part_size !== entry.piece) Object.assign(entry, { piece: grant.multipart.part_size, pieces: [] });
        await sendParts(row, grant);
        return false;
    }
    if (!grant.multipart) await sendPieces(row, grant);
    row.enter('finishing');
    const body = `{"metadata":${entry.metadata ?? metadata(entry)}}`;
    await request('POST', `${path}/complete`, { body, signal, timeout: completionMost }).catch((problem) => {
        if (problem.code !== 'recording-exists') throw problem;  // completed before, and edited since
    });
    return true;
}
/** The last change of a file is the best time that a browser knows. @param {import('./uploads.js').Entry} entry */
const metadata = ({ name, size, modified }) => JSON.stringify({ creation_date: timeText(new Date(modified)), filename: name.slice(-255), file_size: size });
/** What the server has. A page lists at most 100 missing parts; parts before its last one that it leaves out are there. */
function storedBytes({ size, piece }, { upload_offset: offset, multipart }) {
    if (!multipart || multipart.parts.length === 0) return offset;
    const { parts, part_count: count } = multipart, last = parts.at(-1).number, isAll = parts.length < 100 || last === count;
    return Math.max(offset, (isAll ? size : last * piece) - parts.reduce((sum, missing) => sum + missing.size, 0));
}

/** To the server's disk, one after another: a newer request ends the one before. @param {Row} row */
async function sendPieces(row, { upload_offset: start, location: url }) {
    const { entry: { size, piece }, file } = row;
    for (let offset = start, isLast = false; !isLast;) {
        const end = Math.min((Math.floor(offset / piece) + 1) * piece, size), place = offset, blob = /** @type {File} */ (file).slice(offset, end);
        isLast = end === size;
        const fields = { 'Content-Type': 'application/partial-upload', 'Upload-Offset': String(place), 'Upload-Complete': isLast ? '?1' : '?0' };
        await sendPiece(row, 'PATCH', url, place, blob, (sum) => ({ ...fields, 'Content-Digest': `sha-256=:${sum}:` }));
        offset = end;
    }
}
/** To an S3 store, some at a time. @param {Row} row */
async function sendParts(row, { multipart: { parts }, headers = {} }) {
    const missing = [...parts];
    const work = async () => {
        for (let next = missing.shift(); next; next = missing.shift()) {
            const start = (next.number - 1) * row.entry.piece, blob = /** @type {File} */ (row.file).slice(start, start + next.size);
            await sendPiece(row, 'PUT', next.url, start, blob, () => headers).catch((problem) => { missing.length = 0; throw problem; });
        }
    };
    const ends = await Promise.allSettled(Array.from({ length: partsAtOnce }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
/** Keeps the digest before the piece goes, so that each acknowledged piece has one. @param {Row} row @param {Blob} blob @param {(digest: string) => Record<string, string>} fields */
async function sendPiece(row, method, url, offset, blob, fields) {
    const { entry, flying, stop: { signal } } = row, sum = await digest(blob);
    if (offset % entry.piece === 0 && blob.size > 0) entry.pieces[offset / entry.piece] = sum;
    signal.throwIfAborted();
    await values.put(row.key, entry).catch(() => {});  // then it can't be resumed after a reload
    signal.throwIfAborted();
    const answer = await exchange(method, url, fields(sum), blob, signal, (count) => { flying.set(offset, count); row.moved(); });
    flying.delete(offset);
    if (answer.status >= 200 && answer.status < 300) {
        row.done += blob.size;
        return row.moved();
    }
    const { title = 'The piece was not stored', detail = `The store answered ${answer.status}.`, type = '' } = answer.body;
    const problem = answer.status > 0 ? new Problem(answer.status, type.split('/').at(-1), title, detail, answer.body)
        : new Problem(0, 'offline', 'No connection', 'The connection was lost.');
    throw Object.assign(problem, { piece: { url, moved: answer.moved } });
}
/** By XMLHttpRequest, since fetch reports no progress. A minute without progress counts as a lost connection; status 0. */
const exchange = (method, url, fields, blob, signal, progress) => new Promise((resolve) => {
    const call = new XMLHttpRequest(), stop = () => call.abort();
    let moved = 0, timer = setTimeout(stop, stalledAfter);
    call.open(method, url);
    for (const [name, value] of Object.entries(fields)) call.setRequestHeader(name, value);
    call.upload.onprogress = ({ loaded }) => {
        clearTimeout(timer);
        timer = setTimeout(stop, stalledAfter);
        moved = loaded;
        progress(loaded);
    };
    call.onloadend = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        resolve({ status: call.status, body: parsed(call.responseText), moved });
    };
    signal.addEventListener('abort', stop);
    call.send(blob);
});
/** A store answers in XML. @param {string} text @returns {any} */
function parsed(text) {
    try {
        return JSON.parse(text) ?? {};
    } catch {
        return {};
    }
}
