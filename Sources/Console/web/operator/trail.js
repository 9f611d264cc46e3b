// What operators did: from this page and by commands. A look at it is noted, too.
import { get } from './calls.js';
import { dateTime, plural } from './texts.js';
import { emptyState, errorState, fill, h } from './view.js';

/** What the trail calls an action, in words. */
const ACTIONS = {
    add: 'Added the account', backup: 'Made a backup', delete: 'Deleted the account', disable: 'Disabled the account', enable: 'Enabled the account',
    events: 'Read the security events', invite: 'Invited somebody', list: 'Listed accounts', password: 'Set a password', restore: 'Restored a backup',
    sessions: 'Looked at the sessions', show: 'Looked at the account', trail: 'Read the trail', 'accept clock': 'Accepted the clock',
    'end sessions': 'Ended all sessions', 'remove app': 'Removed the authenticator app', 'storage repair': 'Repaired the store',
};
/** Others stand as they are. @param {string} action @returns {string} */
export const actionText = (action) => Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : action;

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ signal }) {
    const box = h('div', { class: 'stack' });
    const read = async () => fill(box, table((await get('trail', {}, { signal })).actions));
    const attempt = () => read().catch((problem) => { if (problem.code !== 'cancelled') fill(box, errorState(problem, attempt)); });
    const again = h('button', { type: 'button', class: 'button', onclick: attempt }, 'Read again');
    await read();
    return { title: 'Trail', content: h('div', { class: 'page' }, h('div', { class: 'page-head' }, h('h1', null, 'Trail'), h('div', { class: 'actions' }, again)), box) };
}
/** @param {{ at: string, operator: string, action: string, account: string|null, email: string|null }[]} actions newest first */
function table(actions) {
    if (actions.length === 0) return emptyState({ title: 'Nothing yet', text: 'Each action of an operator is noted here, and each look at an account.' });
    const heads = ['Time', 'Operator', 'Action', 'Account'].map((name) => h('th', { scope: 'col' }, name));
    return [h('p', { class: 'muted' }, `The last ${plural(actions.length, 'action')}, newest first.`),
        h('div', { class: 'scroll card', tabindex: 0, role: 'region', 'aria-label': 'What operators did' },
            h('table', { class: 'table' }, h('thead', null, h('tr', null, heads)), h('tbody', null, actions.map(row))))];
}
const row = ({ at, operator, action, account, email }) => h('tr', { 'data-test': 'trail-row' }, h('td', null, dateTime(at)), h('td', { dir: 'auto' }, operator), h('td', null, actionText(action)),
    h('td', { dir: 'auto' }, email ? h('a', { href: `#/accounts/${encodeURIComponent(email)}` }, email) : account ? h('span', { class: 'mono' }, account) : '–'));
