// Requests to the documented API. Each is signed by version 3; refreshing, logging in again, confirming and correcting the clock happen here.
import { locked, session, signature } from './session.js';
import { clock, now } from './texts.js';

/** @typedef {{ query?: Record<string, any>, json?: any, body?: string|Uint8Array, type?: string, headers?: Record<string, string>,
 *    ifMatch?: string, ifNoneMatch?: string, key?: string, prefer?: string, signal?: AbortSignal, timeout?: number,
 *    as?: 'json'|'text'|'blob'|'response', anonymous?: boolean, quiet?: boolean }} Options
 *  @typedef {{ method: string, url: string, fields: Record<string, string>, bytes: Uint8Array|null, options: Options }} Call */

/** The API's address, under whatever path a proxy has put the page. */
export const base = new URL('v2/', document.baseURI);
/** An id in a path. */
export const id = encodeURIComponent;
/** What the page's frame does for a request: `login` ends when there is a session again, `confirm` returns whether the person has confirmed. */
export const hooks = {
    /** @type {(problem: Problem|null) => Promise<void>} */ login: async () => {},
    /** @type {() => Promise<boolean>} */ confirm: async () => false,
    /** Each `Sync-Head`, which the next pull has to name. @type {(url: string, head: string) => void} */ head: () => {},
};
/** Events `online`, `offline`, `skew`. */
export const network = Object.assign(new EventTarget(), { online: true });

const minute = 60_000;

/** What a person can do, where the server's detail is for programs. */
const DETAILS = {
    'database-unavailable': 'The server can\'t reach its database. Nothing that it has stored is lost. Try again in a minute.',
    'credentials-invalid': 'The password or the address is wrong.', 'email-taken': 'This address has an account already. Log in instead.',
    'code-invalid': 'The code is wrong, or was used.', 'too-many-codes': 'Too many wrong codes. Wait some minutes.',
    'email-unverified': 'Open the link in the mail to this address.',
    'rate-limited': 'There were too many tries. Nothing is lost.',
    overloaded: 'The server has too much to do. Try again in a minute.', 'answer-timeout': 'The server needed too long. Look whether it was done, then try again.',
};
/** A refusal (RFC 9457), or no answer: `offline`, `cancelled`. */
export class Problem extends Error {
    /** @param {number} status @param {string} code @param {string} title @param {string} detail @param {any} [body] @param {Headers} [headers] */
    constructor(status, code, title, detail, body = {}, headers = new Headers()) {
        super(`${title}: ${detail}`);
        const wait = headers.get('retry-after');
        Object.assign(this, { status, code, title, detail, body, headers, errors: body.errors ?? [] });
        this.requestID = body.instance ?? headers.get('x-request-id');
        this.retryAfter = wait === null ? null : Number(wait);
    }

    /** @param {Response} response */
    static async from(response) {
        const body = await response.json().catch(() => null);
        const known = body?.type ? body : { title: 'The server can\'t be reached', detail: `A server on the way answered ${response.status}. Try again in a minute.` };
        const code = String(body?.type ?? `status-${response.status}`).split(/[/#]/).at(-1) ?? '';
        return new Problem(response.status, code, known.title, DETAILS[code] ?? known.detail, known, response.headers);
    }
}

/** @param {string} method @param {string} path @param {Options} options @returns {Call} */
function prepare(method, path, options) {
    const parameters = Object.entries(options.query ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== '');
    const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString().replaceAll('+', '%20');
    const quoted = (tag) => /^(W\/|"|\*$)/.test(tag) ? tag : `"${tag}"`;
    const sent = options.json === undefined ? options.body : JSON.stringify(options.json);
    const all = {
        'Content-Type': sent === undefined ? undefined : options.type ?? 'application/json', 'Idempotency-Key': options.key, Prefer: options.prefer,
        'If-Match': options.ifMatch && quoted(options.ifMatch), 'If-None-Match': options.ifNoneMatch && quoted(options.ifNoneMatch), ...options.headers,
    };
    return {
        method, url: new URL(path + (query && `?${query}`), base).href, options, bytes: typeof sent === 'string' ? new TextEncoder().encode(sent) : sent ?? null,
        fields: Object.fromEntries(Object.entries(all).filter((entry) => entry[1])),
    };
}

/** Sends once and reads the answer. @param {Call} call @param {import('./session.js').Session|null} kept */
async function exchange({ method, url, fields, bytes, options }, kept) {
    const stop = new AbortController(), ended = () => stop.abort();
    let timer = setTimeout(ended, options.timeout ?? minute);
    options.signal?.addEventListener('abort', ended);
    try {
        options.signal?.throwIfAborted();
        const headers = kept ? { ...fields, ...await authorization(kept, method, url, fields, bytes) } : fields;
        const answer = await fetch(url, { method, headers, body: /** @type {any} */ (bytes), signal: stop.signal, cache: 'no-store', credentials: 'omit' });
        clearTimeout(timer);
        timer = setTimeout(ended, 10 * minute);  // a large body on a slow line
        const date = Date.parse(answer.headers.get('date') ?? '');
        if (date) clock.ahead = date - Date.now();
        report(true);
        if (answer.headers.has('sync-head')) hooks.head(url, answer.headers.get('sync-head') ?? '');
        if (!answer.ok && answer.status !== 304) return { answer, problem: await Problem.from(answer), data: null };
        return { answer, problem: null, data: answer.status === 304 || answer.status === 204 ? null : await unpacked(answer, options.as ?? 'json') };
    } catch (error) {
        if (options.signal?.aborted) throw new Problem(0, 'cancelled', 'Cancelled', 'The request was given up.');
        if (!(error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)) throw error;
        report(false);
        throw new Problem(0, 'offline', 'No connection', 'The server did not answer. What you typed is kept. Check the connection, then try again.');
    } finally {
        clearTimeout(timer);
        if (options.as !== 'response') options.signal?.removeEventListener('abort', ended);
    }
}
/** @param {Response} answer @param {string} as */
const unpacked = async (answer, as) => as === 'response' ? answer : as === 'blob' ? answer.blob() : as === 'text' ? answer.text() : JSON.parse(await answer.text());
/** @param {boolean} online */
function report(online) {
    if (network.online === online) return;
    network.online = online;
    network.dispatchEvent(new Event(online ? 'online' : 'offline'));
}
async function authorization(kept, method, url, fields, bytes) {
    const signed = await signature(kept.key, method, url, fields, bytes, Math.floor((Date.now() + clock.skew) / 1000));
    return { Authorization: `Bearer ${kept.token}`, ...signed };
}

/** Corrects what a second attempt can correct. @param {Problem} problem */
function isCorrected(problem) {
    if (problem.code !== 'clock-skew') return problem.code === 'nonce-used';
    clock.skew = problem.body.server_time * 1000 - Date.now();
    network.dispatchEvent(new Event('skew'));
    return true;
}

/** Gets the next token, unless another tab has it already. The attempt is stored first and repeated, so a lost answer costs nothing. @param {string} token */
const refresh = (token) => locked('refresh', {}, async () => {
    await session.change(token, (kept) => ({ ...kept, attempt: kept.attempt ?? crypto.randomUUID() }));
    const kept = await session.current();
    if (kept?.token !== token) return;
    const call = prepare('POST', 'auth/refresh', { json: { attempt: kept.attempt } });
    for (let round = 0; ; round += 1) {
        const { problem, data } = await exchange(call, kept);
        if (!problem) return session.change(token, (old) => ({ ...old, token: data.token, expiresAt: data.expires_at, attempt: undefined }));
        if (round < 3 && isCorrected(problem)) continue;
        if (problem.status !== 401) throw problem;
        return session.end(token);
    }
});

/** The session, with a token that is good for a while; opens the login if there is none. @param {Options} options */
async function usable(options) {
    for (let hasRefreshed = false; ;) {
        const kept = await session.current();
        const left = kept ? Date.parse(kept.expiresAt) - now().getTime() : 0;
        if (kept && (hasRefreshed || left > 5 * minute)) return kept;
        hasRefreshed = Boolean(kept);
        if (kept) await refresh(kept.token).catch((problem) => { if (left <= 0) throw problem; });
        else if (options.quiet) throw new Problem(401, 'session-ended', 'Session ended', 'Log in again.');
        else await renewed(null);
    }
}
/** @type {Promise<void>|undefined} */
let renewing;
/** @type {Promise<boolean>|undefined} */
let confirming;
/** One login for all requests that wait. @param {Problem|null} problem */
const renewed = (problem) => renewing ??= hooks.login(problem).finally(() => { renewing = undefined; });
const confirmed = () => confirming ??= hooks.confirm().finally(() => { confirming = undefined; });

/** Whether to send it again. @param {Problem} problem @param {string} token @param {Options} options */
async function isRemedied(problem, token, options) {
    if (isCorrected(problem)) return true;
    if (problem.code === 'token-expired' || problem.code === 'token-outdated') return refresh(token).then(() => true);
    if (options.quiet) return false;
    if (problem.code === 'confirmation-required') {
        if (await confirmed()) return true;
        throw new Problem(0, 'cancelled', 'Cancelled', 'Nothing was changed.');
    }
    if (!['token-missing', 'token-invalid', 'session-ended', 'signature-version-low', 'account-disabled'].includes(problem.code)) return false;
    await session.end(token);
    if (!await session.current()) await renewed(problem);
    return true;
}

/** Sends a request until it is answered for good. @param {string} method @param {string} path @param {Options} [options] @returns {Promise<{status: number, headers: Headers, data: any}>} */
export async function request(method, path, options = {}) {
    const call = prepare(method, path, options), seen = new Set();
    for (;;) {
        const kept = options.anonymous ? null : await usable(options);
        const { answer, problem, data } = await exchange(call, kept);
        if (!problem) return { status: answer.status, headers: answer.headers, data };
        if (!kept || seen.has(problem.code) || !await isRemedied(problem, kept.token, options)) throw problem;
        seen.add(problem.code);
    }
}
/** @param {string} path @param {Options} [options] */
export const get = async (path, options) => (await request('GET', path, options)).data;

/** Ends the session at the server as far as it can be reached, and forgets it here. @param {{ keepDrafts?: boolean }} [options] */
export async function logOut({ keepDrafts = false } = {}) {
    const kept = await session.current();
    if (kept) await request('POST', 'auth/logout', { quiet: true, timeout: 10_000 }).catch(() => {});
    if (keepDrafts && kept) await session.current().then((last) => last && session.end(last.token)); else await session.forget();
}

/** Ends a session that this browser does not take, as far as the server can be reached. @param {any} login */
export const decline = async (login) => { await exchange(prepare('POST', 'auth/logout', { timeout: 10_000 }), await session.from(login, false)).catch(() => {}); };

/** Saves what a link leads to. The browser has begun to read a blob within a minute, and its memory is free then. @param {string} url @param {string} name */
export function download(url, name) {
    const link = document.createElement('a');
    Object.assign(link, { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), minute);
}
