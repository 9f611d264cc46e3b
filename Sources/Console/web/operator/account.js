// One account: whether it can be used, its sessions, and what operators may do with it. Never a document or a recording.
import { call, get, operator } from './calls.js';
import { bytes, dateTime, number, plural, problemText, timeElement } from './texts.js';
import { actionText } from './trail.js';
import { ask, fill, h, icon, keepFocus, toast } from './view.js';

/** @typedef {{ path: string, label: string, kind?: string, title: (email: string) => string, body: string, done: (ended: number) => string, apply: (kept: any) => void }} Action */

const now = () => new Date().toISOString();
const noSessions = (kept) => { kept.sessions = []; kept.account.sessions = 0; };
/** @type {Record<string, Action>} */
const ACTIONS = {
    end: { path: 'end-sessions', label: 'End all sessions', title: (email) => `End all sessions of ${email}?`,
        body: 'Each device has to log in again. Nothing is deleted.', done: (ended) => `${plural(ended, 'session')} ended.`, apply: noSessions },
    disable: { path: 'disable', label: 'Disable', kind: 'danger', title: (email) => `Disable ${email}?`,
        body: 'Its sessions end, and nobody can log in to it until it is enabled. Nothing is deleted.',
        done: (ended) => `The account is disabled. ${plural(ended, 'session')} ended.`, apply: (kept) => { noSessions(kept); kept.account.disabled_at = now(); } },
    enable: { path: 'enable', label: 'Enable', title: (email) => `Enable ${email}?`, body: 'The person can log in again.',
        done: () => 'The account is enabled.', apply: (kept) => { kept.account.disabled_at = null; } },
    removeApp: { path: 'remove-app', label: 'Remove the authenticator app', kind: 'danger', title: (email) => `Remove the authenticator app of ${email}?`,
        body: 'For a person without app and recovery codes. Check the identity first: whoever has the password can log in then.',
        done: () => 'The account has no authenticator app now.', apply: (kept) => { kept.account.has_app = false; } },
};

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ params, signal }) {
    const kept = await get(`accounts/${encodeURIComponent(params.email)}`, {}, { signal }), { email } = kept.account, parts = h('div', { class: 'stack' });
    const draw = () => keepFocus(parts, () => fill(parts, state(kept), actions(kept, run), h('div', { class: 'columns' }, facts(kept), sessions(kept), trail(kept))));
    const run = async (/** @type {Action} */ { path, label, kind, title, body, done, apply }) => {
        if (!await ask({ title: title(email), body, actions: [{ label, value: true, kind: kind ?? 'primary' }] })) return;
        try {
            const { ended } = await call('POST', `accounts/${encodeURIComponent(email)}/${path}`);
            apply(kept);
            kept.actions.unshift({ at: now(), operator: operator()?.operator, action: path.replaceAll('-', ' ') });
            draw();
            toast(done(ended));
        } catch (/** @type {any} */ problem) {
            toast(problemText(problem));
        }
    };
    draw();
    const back = h('a', { class: 'row back', href: '#/accounts' }, icon('back'), 'Accounts');
    return { title: email, content: h('div', { class: 'page' }, h('div', { class: 'stack' }, back, h('h1', { dir: 'auto' }, email)), parts) };
}
const state = ({ account: { disabled_at: disabled, locked_until: locked } }) => [
    disabled && h('div', { class: 'note danger' }, 'Disabled since ', timeElement(disabled), '. Nobody can log in to it.'),
    isLocked(locked) && h('div', { class: 'note warn' }, `Locked until ${dateTime(locked)}, after failed logins: unknown devices and addresses are refused. It ends by itself.`)];
/** @param {string|null|undefined} until */
export const isLocked = (until) => Date.parse(until ?? '') > Date.now();
function actions({ account }, run) {
    if (operator()?.read_only) return h('div', { class: 'note' }, 'This page is read only: it was started with --read-only.');
    const shown = [ACTIONS.end, account.disabled_at ? ACTIONS.enable : ACTIONS.disable, ...account.has_app === false ? [] : [ACTIONS.removeApp]];
    const button = (/** @type {Action} */ action, index) => h('button', { type: 'button', id: `action-${index}`, class: `button ${action.kind ?? ''}`, onclick: () => run(action) }, action.label);
    return h('div', { class: 'row', role: 'group', 'aria-label': 'Actions' }, shown.map(button));
}
const section = (title, ...content) => h('section', { class: 'card stack' }, h('h2', null, title), ...content);
const pair = (name, ...value) => h('div', null, h('dt', null, name), h('dd', { dir: 'auto' }, ...value));
function facts({ account, tried_as: names, identities }) {
    const code = (text) => h('span', { class: 'mono' }, text);
    return section('Account', h('dl', { class: 'facts' }, pair('Created', dateTime(account.created_at)),
        pair('Last used', account.last_used_at ? timeElement(account.last_used_at) : 'Not in use'), pair('Presets', number(account.configurations)),
        pair('Recordings', `${number(account.recordings)}, ${bytes(account.recording_bytes)}`), pair('Id', code(account.id)),
        names.length > 0 && pair('In the log as', code(names.join(', '))), identities.map(({ issuer, subject }) => pair('Provider', `${issuer}, ${subject}`))));
}
function sessions({ sessions: all }) {
    if (all.length === 0) return section('Sessions', h('p', { class: 'muted' }, 'None: no device is logged in.'));
    const row = ({ device_id: device, address, created_at: begun, last_used_at: used }) => h('li', { class: 'item', 'data-test': 'session-row' },
        h('div', { class: 'grow' }, h('strong', { dir: 'auto' }, device ?? 'Unnamed device'), h('p', { class: 'small muted' }, `${address ?? 'Unknown address'}, since ${dateTime(begun)}`)),
        h('span', { class: 'small muted' }, 'Used ', timeElement(used)));
    return section('Sessions', h('ul', { class: 'list' }, all.map(row)));
}
function trail({ actions: all }) {
    if (all.length === 0) return section('What operators did', h('p', { class: 'muted' }, 'Nothing yet.'));
    const row = ({ at, operator: who, action }) => h('li', { class: 'item' }, h('span', { class: 'grow' }, h('bdi', null, who ?? ''), `: ${actionText(action)}`),
        h('span', { class: 'small muted' }, timeElement(at)));
    return section('What operators did', h('ul', { class: 'list' }, all.map(row)));
}
