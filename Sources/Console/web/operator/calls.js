// Calls of the console's process: the code is exchanged for a token, which only this tab has.

/** @typedef {{ token: string, operator: string, read_only: boolean, version: string }} Operator */

const key = 'operator';
/** What the page's frame does when the process no longer knows this page. */
export const hooks = { over: (/** @type {Refusal} */ _) => {} };

/** A refusal of the process, or no answer: `away`. */
export class Refusal extends Error {
    /** @param {number} status @param {string} code @param {string} title @param {string} detail */
    constructor(status, code, title, detail) {
        super(`${title}: ${detail}`);
        Object.assign(this, { status, code, title, detail });
    }
}
export const away = () => new Refusal(0, 'away', 'The console has ended, or can\'t be reached',
    'Its process does not answer. It ends with Ctrl-C, and 30 minutes after the last request: then run "neuroviews-server console" again and open the new address.');
const unknown = () => new Refusal(401, 'unknown', 'This page is not logged in', 'A code is good for one use within 5 minutes. Run "neuroviews-server console" again and open the new address.');

/** Who uses this page. @returns {Operator|null} */
export function operator() {
    try {
        return JSON.parse(sessionStorage.getItem(key) ?? 'null');
    } catch {
        return null;
    }
}
/** @param {string} code of the address */
export async function begin(code) {
    sessionStorage.setItem(key, JSON.stringify(await exchange('POST', 'session', { code })));
}
/** @param {string} method @param {string} path @param {any} [json] @param {{ signal?: AbortSignal, as?: 'json'|'text' }} [options] */
async function exchange(method, path, json, { signal, as = 'json' } = {}) {
    const headers = { Authorization: `Bearer ${operator()?.token ?? ''}`, ...json && { 'Content-Type': 'application/json' } };
    const answer = await fetch(new URL(`api/${path}`, document.baseURI), { method, headers, body: json && JSON.stringify(json), signal, cache: 'no-store', credentials: 'omit' })
        .catch((error) => { throw signal?.aborted ? new Refusal(0, 'cancelled', 'Cancelled', 'The request was given up.') : error instanceof TypeError ? away() : error; });
    if (answer.ok) return as === 'text' ? answer.text() : answer.status === 204 ? null : answer.json();
    if (answer.status === 401) throw unknown();
    const body = await answer.json().catch(() => ({}));
    throw new Refusal(answer.status, body.code ?? `status-${answer.status}`, body.title ?? 'It did not work', body.detail ?? body.reason ?? `The console answered ${answer.status}.`);
}
/** @param {string} method @param {string} path @param {any} [json] @param {{ signal?: AbortSignal, as?: 'json'|'text' }} [options] */
export async function call(method, path, json, options) {
    try {
        return await exchange(method, path, json, options);
    } catch (/** @type {any} */ problem) {
        if (problem.code === 'unknown') hooks.over(problem);
        throw problem;
    }
}
/** @param {string} path @param {Record<string, any>} [query] @param {{ signal?: AbortSignal, as?: 'json'|'text' }} [options] */
export const get = (path, query = {}, options) => {
    const known = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '').map(([name, value]) => [name, String(value)]);
    return call('GET', known.length > 0 ? `${path}?${new URLSearchParams(known).toString().replaceAll('+', '%20')}` : path, undefined, options);
};
/** The process doesn't know this tab any more. */
export const forget = () => sessionStorage.removeItem(key);
