// The frame: places, routes, the states of the whole page, and what happens to every tab at once.
import { get, hooks, logOut, network, Problem } from './api.js';
import { presets, pull, start as startReading, stop, watch, whenRecovered } from './reading.js';
import { isAbandoned, isModern, isSecure, session, stored, tabs } from './session.js';
import { clockText, plural, problemText, relative } from './texts.js';
import { announce, ask, button, errorState, fill, h, icon, loadingState, toast } from './view.js';

/** @typedef {{ params: Record<string, string>, query: URLSearchParams, signal: AbortSignal }} Visit   `signal` aborts when the route is left
 *  @typedef {{ title: string, content: HTMLElement, leave?: () => void|Promise<void>, hold?: () => void }} Page
 *    the content has exactly one h1; `leave` ends before the next screen is asked for, `hold` keeps at once what was typed since */

/** Screens of recordings continue the uploads of this browser. @param {Promise<any>|null} screen */
const withUploads = async (screen) => (await Promise.all([screen, import('./uploads.js').then((uploads) => uploads.start().catch(() => {}))]))[0];
/** A screen is loaded on its first visit. */
const ROUTES = /** @type {[string, string, () => Promise<any>][]} */ ([
    ['login', '', () => import('./login.js')],
    ['presets', 'presets', () => import('./presets.js')],
    ['presets/deleted', 'presets', () => import('./deleted.js')],
    ['presets/{id}', 'presets', () => import('./presets.js')],
    ['presets/{id}/history', 'presets', () => import('./history.js')],
    ['conflicts', 'conflicts', () => import('./conflicts.js')],
    ['conflicts/{id}/{digest}', 'conflicts', () => import('./conflicts.js')],
    ['recordings', 'recordings', () => withUploads(import('./recordings.js'))],
    ['recordings/{id}', 'recordings', () => withUploads(import('./recording.js'))],
    ['usage', 'usage', () => import('./usage.js')],
    ['account', 'account', () => import('./account.js')],
]);
const PLACES = { presets: 'Presets', conflicts: 'Conflicts', recordings: 'Recordings', usage: 'Usage', account: 'Account' };
/** Links of mails. */
const MAILED = /^#(verify|reset|invitation)=/;
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const main = element('main');

/** The route of an address; unknown ones lead to the presets. */
function routeOf(hash) {
    const [path, query = ''] = hash.replace(/^#\/?/, '').split('?'), parts = path.split('/');
    for (const [pattern, place, load] of ROUTES) {
        const names = pattern.split('/');
        if (names.length !== parts.length || !names.every((name, index) => name.startsWith('{') ? parts[index] : name === parts[index])) continue;
        const params = Object.fromEntries(names.flatMap((name, index) => name.startsWith('{') ? [[name.slice(1, -1), decoded(parts[index])]] : []));
        return { pattern, place, load, params, query: new URLSearchParams(query) };
    }
    return null;
}
const decoded = (part) => { try { return decodeURIComponent(part); } catch { return part; } };

/** @param {string} hash such as `#/presets` @param {{ replace?: boolean }} [options] */
export function navigate(hash, { replace = false } = {}) {
    if (!replace) location.hash = hash;
    else { history.replaceState(null, '', hash); go(); }
}
/** @param {string} title */
export const setTitle = (title) => { document.title = `${title} · NeuroViews`; };
/** A number beside a place. */
export function setBadge(place, count) {
    const badge = element(`badge-${place}`);
    fill(badge, count > 0 && [String(count), h('span', { class: 'visually-hidden' }, ' open')]);
    badge.hidden = count === 0;
}

let visit = new AbortController(), turn = 0;
/** @type {Page|null} */
let page = null;
/** @type {any} */
let lastLoad = null;
/** Shows the route of the address: nothing for 200 ms, then "loading", then the page or what is wrong. */
async function go() {
    const mine = turn += 1, hash = location.hash;
    await page?.leave?.();
    if (mine !== turn) return;
    visit.abort();
    visit = new AbortController();
    if (MAILED.test(hash)) return shown(mine, routeOf('#/login'), visit.signal);
    const route = routeOf(hash);
    if (!route) return navigate('#/presets', { replace: true });
    if (route.pattern !== 'login' && document.body.dataset.state !== 'ready') return navigate(`#/login?next=${encodeURIComponent(hash)}`, { replace: true });
    if (route.pattern === 'login' && document.body.dataset.state === 'ready') return navigate('#/presets', { replace: true });
    await shown(mine, route, visit.signal);
}
async function shown(mine, route, signal) {
    const name = PLACES[route.place] ?? 'Log in';
    // The frame of the page itself stays until there is something in its place.
    const draw = (content) => {
        if (document.body.dataset.state !== 'ready') document.body.dataset.state = 'login';
        fill(main, content);
    };
    for (const link of element('nav').querySelectorAll('a')) link.ariaCurrent = link.dataset.place === route.place ? 'page' : null;
    const slow = setTimeout(() => {
        if (mine !== turn) return;
        main.setAttribute('aria-busy', 'true');
        if (lastLoad !== route.place) draw(h('div', { class: 'page' }, h('h1', { tabindex: -1 }, name), loadingState(`Loading ${name.toLowerCase()}`)));
    }, 200);
    try {
        const made = await (await route.load()).show({ params: route.params, query: route.query, signal });
        if (mine !== turn) return;
        [page, lastLoad] = [made, route.place];
        if (main.firstElementChild !== made.content) {
            draw(made.content);
            scrollTo(0, 0);
        }
        setTitle(made.title);
    } catch (/** @type {any} */ problem) {
        if (mine !== turn || problem.code === 'cancelled') return;
        const known = readable(problem);
        [page, lastLoad] = [null, null];
        draw(h('div', { class: 'page' }, h('h1', null, name), errorState(known, known.code === 'part' ? () => location.reload() : go)));
        setTitle(name);
        whenRecovered(known, go, signal);
    } finally {
        clearTimeout(slow);
        if (mine === turn) main.removeAttribute('aria-busy');
    }
    const first = main.querySelector('[data-first]') ?? main.querySelector('h1');
    if (first?.tagName === 'H1') first.setAttribute('tabindex', '-1');
    /** @type {any} */ (first)?.focus({ preventScroll: first.tagName === 'H1' });
}
/** A file of the page that did not arrive is a lost connection, and most browsers never ask for it again; any other error is the page's fault. */
const readable = (problem) => problem instanceof Problem ? problem : problem instanceof TypeError && /import|module/i.test(problem.message)
    ? new Problem(0, 'part', 'No connection', 'A part of this page did not arrive. Check the connection, then reload this page. What you typed is kept.')
    : Object.assign(problem, { title: 'This page has a fault', detail: `Reload it. (${problem.message})` });
let modals = 0;
/** A modal dialog with parts of its own; `build` gets a function that ends it.
 *  @param {string} title @param {(end: (value: any) => void) => any} build @param {{ canCancel?: () => boolean }} [options] @returns {Promise<any>} null: cancelled */
export function modal(title, build, { canCancel = () => true } = {}) {
    const { promise, resolve } = Promise.withResolvers(), id = `modal-${modals += 1}`;
    let isOver = false;
    const end = (value) => { isOver = true; dialog.close(); dialog.remove(); resolve(value); };
    const closed = () => { if (isOver) return; if (canCancel()) end(null); else dialog.showModal(); };
    const dialog = h('dialog', { 'aria-labelledby': id, onclose: closed }, h('h2', { id }, title), h('div', { class: 'stack' }, build(end)));
    document.body.append(dialog);
    dialog.showModal();
    return promise;
}
/** The frame of an account that is logged in. Called after a login, too. */
export async function enter() {
    const kept = await session.current();
    owner = kept?.user.id ?? '';
    document.body.dataset.state = 'ready';
    fill(element('nav'), h('ul', null, Object.entries(PLACES).map(([place, name]) => h('li', null, h('a', { href: `#/${place}`, 'data-place': place }, icon(place),
        h('span', null, name), h('span', { class: 'badge', id: `badge-${place}`, hidden: true }))))));
    fill(element('who'), h('span', { class: 'small muted', dir: 'auto', title: kept?.user.email }, kept?.user.email),
        button('quiet', signOut, 'Log out'));
    startReading();
    watch('conflicts', countConflicts);
    countConflicts();
    network.addEventListener('online', countConflicts);
    stored('uploads').of(owner).then((kept) => kept.length > 0 && withUploads(null)).catch(() => {});
}
async function countConflicts() {
    const { conflicts } = await get('conflicts', { query: { limit: 100 } }).catch(() => ({}));
    if (conflicts) setBadge('conflicts', conflicts.length);
}
/** The drafts and uploads of this account. */
const left = async () => { const id = await session.userID(); return Promise.all([stored('drafts').of(id), stored('uploads').of(id)]); };
/** Asks before anything that was typed is lost, then ends the session. */
export async function signOut() {
    const [drafts, uploads] = (await left()).map((all) => all.length);
    const lost = [drafts && plural(drafts, 'draft'), uploads && plural(uploads, 'unfinished upload')].filter(Boolean).join(' and ');
    const answer = !lost || await ask({ title: `Log out and discard ${lost}?`, body: 'They are in this browser only. Presets and recordings on the server stay.',
        actions: [{ label: 'Log out and discard', value: true, kind: 'danger' }], cancel: 'Stay' });
    if (!answer) return;
    visit.abort();
    page = null;
    stop();
    await logOut();
    restart();
}
/** Begins anew with nothing in memory. A page that is open keeps no draft any more. */
export function restart() {
    page = null;
    history.replaceState(null, '', '#/login');
    location.reload();
}
/** Drafts outlive a session that ended because the browser was closed; without any, nothing about the account stays. */
async function leaveAbandoned() {
    await logOut({ keepDrafts: (await left()).flat().length > 0 });
}
/** Another tab has logged in or out. */
async function followTabs({ data }) {
    if (data.kind !== 'session') return;
    const isReady = document.body.dataset.state === 'ready', last = await session.last(), current = await session.current();
    if (!(isReady ? last?.user.id !== owner : current)) return;
    if (!last) page = null;  // what was typed was discarded there
    location.reload();
}
let owner = '';
function showNetwork() {
    // Without a login a pull would ask for one, and leave this page.
    const again = () => document.body.dataset.state === 'ready' ? pull() : get('version', { anonymous: true });
    const age = presets.at ? ` You see the state of ${relative(presets.at)}.` : '';
    fill(element('net'), !network.online && h('div', { class: 'note warn row' }, icon('offline'), h('span', null, `No connection.${age} What you type is kept.`),
        h('button', { type: 'button', class: 'button quiet', onclick: () => again().catch(() => announce('Still no connection.')) }, 'Try again')));
}
function listenToPage() {
    network.addEventListener('offline', showNetwork);
    network.addEventListener('online', showNetwork);
    network.addEventListener('skew', () => { const text = clockText(); if (text) toast(text); });
    setInterval(() => { if (!network.online) showNetwork(); }, 60_000);
    addEventListener('hashchange', go);
    addEventListener('pagehide', () => page?.hold?.());
    // The browser would open the file in place of this page.
    for (const kind of ['dragover', 'drop']) addEventListener(kind, (event) => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault(); });
    addEventListener('unhandledrejection', ({ reason }) => { if (reason instanceof Error && readable(reason).code !== 'cancelled') toast(problemText(readable(reason))); });
    document.querySelector('.skip')?.addEventListener('click', (event) => { event.preventDefault(); main.focus(); });
    tabs.addEventListener('message', followTabs);
}
async function begin() {
    if (!isModern()) return;  // the page's note names the browsers
    const login = () => import('./login.js').catch((error) => { throw readable(error); });
    Object.assign(hooks, { login: async (problem) => (await login()).logInAgain(problem), confirm: async () => (await login()).askToConfirm() });
    if (isSecure() && await isAbandoned()) await leaveAbandoned();
    const kept = isSecure() ? await session.current() : null;
    listenToPage();
    if (kept) await enter();
    await go();
}
begin().catch((problem) => fill(main, h('h1', null, 'NeuroViews'), errorState(readable(problem), () => location.reload())));
