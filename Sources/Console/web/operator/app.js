// The operator's frame: places, routes, and what is shown when the process does not know the page.
import { troubles } from './alerts.js';
import { away, begin, forget, hooks, operator } from './calls.js';
import { watch } from './metrics.js';
import { emptyState, errorState, fill, h, icon, loadingState } from './view.js';

/** @typedef {{ params: Record<string, string>, query: URLSearchParams, signal: AbortSignal }} Visit   `signal` aborts when the route is left
 *  @typedef {{ title: string, content: HTMLElement }} Page   the content has exactly one h1 */

const PLACES = { health: 'Health', requests: 'Requests', accounts: 'Accounts', trail: 'Trail', usage: 'Usage' };
const ICONS = { health: 'health', requests: 'requests', accounts: 'account', trail: 'history', usage: 'usage' };
const ROUTES = /** @type {[RegExp, string, () => Promise<any>][]} */ ([
    [/^$/, 'health', () => import('./health.js')],
    [/^requests$/, 'requests', () => import('./requests.js')],
    [/^accounts$/, 'accounts', () => import('./accounts.js')],
    [/^accounts\/(?<email>.+)$/, 'accounts', () => import('./account.js')],
    [/^trail$/, 'trail', () => import('./trail.js')],
    [/^usage$/, 'usage', () => import('./usage.js')],
]);
/** What is told above the other screens as well: they are not read again by themselves. */
const AWAY = new Set(['ConsoleAway', 'NeuroViewsDown', 'NeuroViewsNotReady']);
/** The code in the address that the command prints: 256 bits in Base64url. */
const CODE = /^#[\w-]{43}$/;
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const main = element('main');

let visit = new AbortController(), turn = 0, isOver = false;
/** The screen of the address. */
async function go() {
    if (CODE.test(location.hash)) return start();
    if (isOver) return;
    visit.abort();
    visit = new AbortController();
    const mine = turn += 1, [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
    const [route, place, load] = ROUTES.find(([pattern]) => pattern.test(path)) ?? ROUTES[0], params = route.exec(path)?.groups ?? {};
    for (const link of element('nav').querySelectorAll('a')) link.ariaCurrent = link.dataset.place === place ? 'page' : null;
    const slow = setTimeout(() => {
        if (mine !== turn || isOver) return;
        main.setAttribute('aria-busy', 'true');
        fill(main, h('div', { class: 'page' }, h('h1', null, PLACES[place]), loadingState(`Loading ${PLACES[place].toLowerCase()}`)));
    }, 200);
    try {
        const decoded = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
        const page = await (await load()).show({ params: decoded, query: new URLSearchParams(query), signal: visit.signal });
        if (mine !== turn || isOver) return;
        show(page);
        follow(place, null, visit.signal);
    } catch (/** @type {any} */ problem) {
        if (mine !== turn || isOver || problem.code === 'cancelled') return;
        // A screen that did not arrive: most browsers never ask for its file again.
        const isPart = problem instanceof TypeError && /import|module/i.test(problem.message), again = isPart ? () => location.reload() : go;
        show({ title: PLACES[place], content: h('div', { class: 'page' }, h('h1', null, PLACES[place]), errorState(isPart ? away() : problem, again)) });
        follow(place, again, visit.signal);
    } finally {
        clearTimeout(slow);
        if (mine === turn) main.removeAttribute('aria-busy');
    }
}
/** Says above a screen that the server or its database is away; Health does it by itself. A screen that failed is read again after that.
 *  @param {string} place @param {(() => void)|null} again of a screen that failed @param {AbortSignal} signal */
function follow(place, again, signal) {
    let told = '';
    fill(element('net'));
    watch(() => {
        const text = troubles().find(({ alert }) => AWAY.has(alert))?.text ?? '', isBack = told && !text;
        if (text !== told) fill(element('net'), text && place !== 'health' && h('div', { class: 'note warn row' }, icon('warning'), h('span', { class: 'grow' }, `${text} What stands here may be old.`)));
        told = text;
        if (isBack) again?.();
    }, signal);
}
/** @param {Page} page */
function show({ title, content }) {
    fill(main, content);
    document.title = `${title} · NeuroViews operator`;
    const heading = main.querySelector('h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
}
/** The screen of this address, also of the one that is shown. @param {string} hash */
export function navigate(hash) {
    if (location.hash === hash) go(); else location.hash = hash;
}

/** The process does not know this tab: nothing here works any more. */
function over(problem) {
    forget();
    stop(problem.title, emptyState({ title: problem.title, text: problem.detail }));
}
/** Shows something in place of the frame. @param {string} title @param {any} state */
function stop(title, state) {
    isOver = true;
    visit.abort();
    fill(element('net'));
    document.body.dataset.state = 'login';
    show({ title, content: h('div', { class: 'page login-page' }, h('h1', null, 'NeuroViews operator'), state) });
}
function frame() {
    const who = operator(), links = Object.entries(PLACES).map(([place, name]) => h('li', null,
        h('a', { href: place === 'health' ? '#/' : `#/${place}`, 'data-place': place }, icon(ICONS[place]), h('span', null, name))));
    fill(element('nav'), h('ul', null, links));
    fill(element('who'), h('span', { class: 'small muted', dir: 'auto', title: who?.operator }, who?.operator), h('p', { class: 'small muted' }, who?.version),
        who?.read_only && h('p', { class: 'chip warn' }, 'Read only'));
    document.body.dataset.state = 'ready';
}
/** The code is used once and leaves the address at once. */
async function start(code = CODE.test(location.hash) ? location.hash.slice(1) : '') {
    isOver = false;
    if (code) history.replaceState(null, '', '#/');
    try {
        if (code) await begin(code);
    } catch (/** @type {any} */ problem) {
        return problem.code === 'away' ? stop(problem.title, errorState(problem, () => start(code))) : over(problem);
    }
    if (!operator()) return over({ title: 'This page is not logged in', detail: 'Run "neuroviews-server console" and open the address that it prints.' });
    frame();
    await go();
}
hooks.over = over;
addEventListener('hashchange', go);
document.querySelector('.skip')?.addEventListener('click', (event) => { event.preventDefault(); main.focus(); });
start();
