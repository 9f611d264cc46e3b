// Accounts by the beginning of their address. Each look is a row in the trail, so nothing here is read again by itself.
import { isLocked } from './account.js';
import { navigate } from './app.js';
import { get } from './calls.js';
import { bytes, plural, timeElement } from './texts.js';
import { announce, button, emptyState, errorState, field, fill, h, icon } from './view.js';

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ query, signal }) {
    const prefix = query.get('prefix') ?? '', list = h('ul', { class: 'list' }), foot = h('div', { class: 'stack' }), count = { shown: 0 };
    const more = async (after) => {
        const page = await get('accounts', { prefix, after }, { signal });
        list.append(...page.accounts.map(row));
        count.shown += page.accounts.length;
        list.hidden = count.shown === 0;
        const next = page.next !== null && button('', () => attempt(page.next), 'Show more');
        fill(foot, next && h('div', { class: 'row' }, next), count.shown === 0 && none(prefix));
        if (after) announce(`${plural(count.shown, 'account')} are shown.`);
    };
    const attempt = (after) => more(after).catch((problem) => { if (problem.code !== 'cancelled') fill(foot, errorState(problem, () => attempt(after))); });
    await more('');
    return { title: 'Accounts', content: h('div', { class: 'page' }, h('div', { class: 'page-head' }, h('h1', null, 'Accounts')), search(prefix), list, foot) };
}
const none = (prefix) => prefix ? emptyState({ title: 'No account begins so', text: 'Accounts are found by the beginning of their address.' })
    : emptyState({ title: 'No accounts yet', text: 'People register in their app, or you add them: "neuroviews-server user add EMAIL".' });
/** @param {string} prefix */
function search(prefix) {
    const input = h('input', { type: 'search', name: 'prefix', value: prefix, autocomplete: 'off', spellcheck: 'false', dir: 'auto' });
    const submit = (event) => {
        event.preventDefault();
        navigate(input.value.trim() ? `#/accounts?prefix=${encodeURIComponent(input.value.trim())}` : '#/accounts');
    };
    return h('form', { class: 'find', role: 'search', onsubmit: submit }, field('Beginning of the address', input, { hint: 'Each look at an account is noted in the trail.' }),
        h('button', { type: 'submit', class: 'button' }, icon('search'), 'Search'));
}
function row({ email, disabled_at: disabled, locked_until: locked, last_used_at: used, sessions, configurations, recordings, recording_bytes: size }) {
    const link = h('a', { href: `#/accounts/${encodeURIComponent(email)}`, dir: 'auto' }, email), time = h('p', { class: 'small muted' }, used ? ['Used ', timeElement(used)] : 'Not in use');
    const amounts = [plural(sessions, 'session'), plural(configurations, 'preset'), plural(recordings, 'recording'), bytes(size)].join(', ');
    return h('li', { class: 'item', 'data-test': 'account-row' }, h('div', { class: 'grow' }, link, time), disabled && h('span', { class: 'chip danger' }, 'Disabled'),
        isLocked(locked) && h('span', { class: 'chip warn' }, 'Locked'),
        h('span', { class: 'small muted' }, amounts));
}
