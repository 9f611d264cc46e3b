// Logging in: with a password or a passkey, the second factor, registering, mails' links, and the same again over the page.
import { decline, get, Problem, request } from './api.js';
import { enter, modal, navigate, restart, signOut } from './app.js';
import { begun, isSecure, session, tabs } from './session.js';
import { clockText, duration, problemText } from './texts.js';
import { announce, button as pressable, emptyState, field, fill, h, icon, setFieldError, toast } from './view.js';

/** @typedef {{ name: string, label: string, type?: string, value?: string, hint?: string, complete?: string, optional?: boolean, locked?: boolean }} FieldSpec
 *  @typedef {{ registration?: string, mail?: boolean, passkeys?: boolean, providers?: string[] }} Features */
/** A form whose errors stand at its fields. `blame` names the field of a problem without pointers; `run` may throw a Problem.
 *  @param {{ fields: FieldSpec[], submit: string, run: (values: Record<string, string>) => any, blame?: Record<string, string>, kind?: string, extra?: any }} options */
export function form({ fields, submit, run, blame = {}, kind = 'primary', extra = null }) {
    const inputs = Object.fromEntries(fields.map(({ name, type = 'text', value = '', complete = 'off', optional, locked }) => [name, h('input', {
        name, type, value, autocomplete: complete, required: !optional, readonly: locked, autocapitalize: 'none', spellcheck: 'false',
        inputmode: complete === 'one-time-code' && 'numeric', dir: type === 'password' ? 'ltr' : 'auto' })]));
    const alert = h('div', { role: 'alert' }), button = h('button', { type: 'submit', class: `button ${kind}` }, submit);
    const block = (isBlocked) => { button.ariaDisabled = isBlocked ? 'true' : null; };  // unlike `disabled` it keeps the focus
    const failed = (/** @type {any} */ problem) => {
        if (problem.code === 'cancelled') return;
        const wrong = (problem.errors ?? []).map(({ pointer, detail }) => [pointer.slice(1), `It ${detail}.`]);
        if (blame[problem.code]) wrong.push([blame[problem.code], problemText(problem)]);
        const known = wrong.filter(([name]) => inputs[name]);
        known.forEach(([name, text]) => setFieldError(inputs[name], text));
        if (known.length > 0) inputs[known[0][0]].focus();
        else fill(alert, h('div', { class: 'note danger' }, h('strong', null, problem.title ?? 'Something went wrong'), h('p', null, problemText(problem)),
            problem.retryAfter > 0 && clock(problem.retryAfter)));
    };
    /** Counts down the seconds until another attempt is worth it. */
    const clock = (seconds) => {
        const end = Date.now() + seconds * 1000, text = h('strong', { role: 'timer', 'aria-live': 'off' });
        const tick = () => {
            const left = Math.ceil((end - Date.now()) / 1000);
            block(left > 0);
            if (left <= 0) { fill(alert); announce('You can try again.'); return; }
            fill(text, `Try again in ${duration(left)}.`);
            if (text.isConnected || left === seconds) setTimeout(tick, 1000); else block(false);
        };
        tick();
        return h('p', null, text);
    };
    const submitted = async (event) => {
        event.preventDefault();
        if (button.ariaDisabled === 'true') return undefined;
        const missing = fields.filter(({ name, optional }) => !optional && !inputs[name].value.trim());
        for (const { name } of fields) setFieldError(inputs[name], null);
        for (const { name, label } of missing) setFieldError(inputs[name], `Enter the ${label.toLowerCase()}.`);
        const partial = fields.filter(({ name, type }) => type === 'email' && inputs[name].value.trim() && !inputs[name].value.includes('@'));
        for (const { name } of partial) setFieldError(inputs[name], 'Enter the whole address, such as ana@example.org.');
        fill(alert);
        const first = fields.find((spec) => missing.includes(spec) || partial.includes(spec));
        if (first) return inputs[first.name].focus();
        block(true);
        const problem = await Promise.resolve(run(Object.fromEntries(fields.map(({ name }) => [name, inputs[name].value || undefined])))).catch((error) => error);
        block(false);
        if (problem instanceof Error) return failed(problem);
        return Object.values(inputs).forEach((input) => { if (input.type === 'password') input.value = ''; });
    };
    return h('form', { class: 'stack', novalidate: true, onsubmit: submitted }, alert,
        fields.map(({ name, label, hint }) => field(label, inputs[name], { hint })), extra, h('div', { class: 'row' }, button));
}
const link = (text, onclick) => h('button', { type: 'button', class: 'button link', onclick }, text);
export const password = { name: 'password', label: 'Password', type: 'password', complete: 'current-password' };
const email = { name: 'email', label: 'E-mail address', type: 'email', complete: 'username' };
const code = { name: 'code', label: 'Six digits of the authenticator app', complete: 'one-time-code' };
const fresh = { name: 'password', label: 'Password', type: 'password', complete: 'new-password', hint: 'At least 8 characters. A sentence is better than a word.' };
export const newPassword = { ...fresh, name: 'new_password', label: 'New password' };
/** What the authenticator signs. */
async function assertion() {
    const { data } = await request('POST', 'auth/passkey/options', { anonymous: true });
    const publicKey = /** @type {any} */ (PublicKeyCredential).parseRequestOptionsFromJSON(data);
    const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
    if (!credential) throw new Problem(0, 'passkey', 'No passkey', 'The browser did not use a passkey of this site. Try again, or use the password.');
    return /** @type {any} */ (credential).toJSON();
}
const hasPasskeys = (features) => features.passkeys && typeof (/** @type {any} */ (globalThis.PublicKeyCredential)?.parseRequestOptionsFromJSON) === 'function';
/** @type {Features|undefined} */
let offered;
/** Calls `use` with what the server offers; without an answer with nothing, and again as soon as there is one, while the place is shown.
 *  @param {HTMLElement} place @param {(features: Features) => void} use @param {boolean} [isAgain] */
async function offers(place, use, isAgain) {
    offered ??= await get('version', { anonymous: true, timeout: 10_000 }).then(({ features = {} }) => features, () => undefined);
    if (offered || !isAgain) use(offered ?? {});
    if (!offered) setTimeout(() => place.isConnected && offers(place, use, true), 5_000);
}
/** The field to begin with. */
const firstOf = (place) => [...place.querySelectorAll('input:not([type=checkbox], [readonly])')].find((input) => !input.value) ?? place.querySelector('h1, button');
/** The steps of a login in one place of the page. `note` and `below` depend on the features; `done` gets the server's answer and whether to stay. */
function steps(place, { known = '', locked = false, title, note = (/** @type {Features} */ _) => null, below, done }) {
    let features = /** @type {Features} */ ({});
    const above = h('div', { class: 'stack' }), others = h('div', { class: 'stack' });
    const show = (...parts) => { fill(place, ...parts); firstOf(place)?.focus(); };
    const stay = h('input', { type: 'checkbox', id: 'stay' });
    const finish = (answer) => done(answer.data, stay.checked);
    const withPasskey = (path, more) => h('div', { class: 'stack' }, form({ fields: [], kind: '', submit: 'Use a passkey',
        run: async () => finish(await request('POST', path, { anonymous: true, json: { assertion: await assertion(), ...await more() } })) }));
    const first = () => show(title, above, form({
        fields: [{ ...email, value: known, locked }, password], submit: 'Log in', run: logIn, blame: { 'credentials-invalid': 'password' },
        extra: !locked && h('label', { class: 'check' }, stay, h('span', null, 'Stay signed in on this browser')) }), others);
    const logIn = async (values) => {
        try { await finish(await request('POST', 'auth/login', { anonymous: true, json: { ...values, ...await session.device() } })); }
        catch (/** @type {any} */ problem) { if (problem.code === 'second-factor-required') second(problem.body); else throw problem; }
    };
    const second = ({ challenge, methods }, isRecovery = !methods.includes('code')) => {
        const spec = isRecovery ? { name: 'recovery_code', label: 'Recovery code', hint: 'One of the ten codes that you saved. Each works once.' } : code;
        const run = async (values) => {
            try { await finish(await request('POST', 'auth/second-factor', { anonymous: true, json: { challenge, ...values } })); }
            catch (/** @type {any} */ problem) { if (problem.code !== 'challenge-expired') throw problem; first(); toast('The login took too long. Begin again.'); }
        };
        const usable = methods.some((method) => ['code', 'recovery_code'].includes(method));
        show(h(locked ? 'h3' : 'h1', { tabindex: -1 }, 'Second step'),
            usable ? form({ fields: [spec], submit: 'Log in', run, blame: { 'code-invalid': spec.name, 'too-many-codes': spec.name } })
                : h('p', null, 'This account uses a second factor that this page does not know. Log in in the app.'),
            methods.includes('assertion') && hasPasskeys(features) && withPasskey('auth/second-factor', async () => ({ challenge })),
            methods.includes('recovery_code') && methods.includes('code') && link(isRecovery ? 'Use the authenticator app' : 'Use a recovery code',
                () => second({ challenge, methods }, !isRecovery)),
            link('Back', first));
    };
    first();
    return offers(place, (answer) => {
        features = answer;
        fill(above, note(answer));
        fill(others, hasPasskeys(answer) && withPasskey('auth/passkey', session.device), below(answer));
    });
}
/** Over the page, after the session has ended: what was typed stays. @param {Problem|null} problem */
export async function logInAgain(problem) {
    const last = await session.last();
    if (!last) { restart(); return new Promise(() => {}); }
    const hasBegun = async () => (await session.current())?.user.id === last.user.id;
    if (await hasBegun()) return;  // meanwhile, in another tab
    const text = problem?.code === 'account-disabled' ? problemText(problem) : 'Log in again to go on. What you typed is still here.';
    await modal('Your session has ended', (end) => {
        const place = h('div', { class: 'stack' });
        begun.addEventListener('session', () => end(true), { once: true });
        tabs.addEventListener('message', async ({ data }) => { if (data.kind === 'session' && await hasBegun()) end(true); });
        const done = async (login) => {
            if (login.user.id !== last.user.id) {
                await decline(login);
                throw new Problem(0, 'other-account', 'Another account', 'Log out first to use it.');
            }
            await session.begin(login, last.stay);
        };
        setTimeout(() => steps(place, { known: last.user.email, locked: true, title: h('p', null, text), done,
            below: () => link('Log out instead', signOut) }));
        return place;
    }, { canCancel: () => false });
}
/** Takes the password, a code or a passkey, and hands the proof to `run`. @param {{ submit: string, kind?: string, run: (proof: any) => Promise<any> }} options */
export function proof({ submit, kind, run }) {
    const place = h('div', { class: 'stack' }), blame = { 'credentials-invalid': 'password', 'code-invalid': 'code', 'too-many-codes': 'code' };
    const show = (spec) => fill(place, form({ fields: [spec], submit, kind, run, blame }),
        link(spec === code ? 'Use the password' : 'Use the authenticator app', () => show(spec === code ? password : code)));
    const passkey = h('div'), withPasskey = async () => run({ assertion: await assertion() });
    offers(passkey, (features) => hasPasskeys(features) && passkey.append(form({ fields: [], kind: '', submit: 'Use a passkey', run: withPasskey })));
    return h('div', { class: 'stack' }, show(password), passkey);
}
/** Asks who is there, for what needs a confirmation. @returns {Promise<boolean>} */
export const askToConfirm = async () => Boolean(await modal('Confirm that it is you', (end) => [h('p', { class: 'muted' }, 'This needs a login within the last 10 minutes.'),
    proof({ submit: 'Confirm', run: async (json) => { await request('POST', 'auth/confirm', { json }); end(true); } }), link('Cancel', () => end(null))]));
/** No password over a network that anybody can read. */
const insecure = () => emptyState({ title: 'This address is not encrypted', text: ['Anybody on the network could read your password, so this page takes none. ',
    'Ask the operator for the https address. Operators: set NEUROVIEWS_TLS_CERT, or use a proxy file of deploy/proxy; on the server itself, 127.0.0.1 works.'] });
/** What to know before logging in. @param {Features} features */
function notes({ providers = [], mail }) {
    const text = clockText();
    return [text && h('p', { class: 'note warn' }, text),
        providers.length > 0 && h('p', { class: 'small muted' }, `An account of ${providers.join(' or ')} has no password at first. `,
            `Log in in the app${mail ? ', or set a password by "Forgotten password"' : ''}.`)];
}
/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ query }) {
    const card = h('div', { class: 'card login stack' });
    const content = h('div', { class: 'page login-page' }, h('p', { class: 'brand' }, icon('brand'), h('span', null, 'NeuroViews')), card);
    const page = { title: 'Log in', content }, heading = (text) => h('h1', { tabindex: -1 }, text);
    if (!isSecure()) { fill(card, h('h1', null, 'Log in'), insecure()); return page; }
    const [, kind, token] = /^#(verify|reset|invitation)=(.*)$/.exec(location.hash) ?? [], last = await session.last();
    const send = (path, json) => request('POST', path, { json, anonymous: true });
    const put = (...parts) => { fill(card, ...parts); firstOf(card)?.focus(); };
    let typed = '';
    const back = (text = 'Back') => link(text, () => logIn());
    const say = (title, text, label = 'Log in', then = () => logIn()) => put(heading(title), h('p', null, text),
        h('div', { class: 'row' }, pressable('primary', then, label)));
    const done = async (login, stay) => {
        const next = query.get('next') ?? '';
        await session.begin(login, stay);
        await enter();
        navigate(/^#\/(?!login)/.test(next) ? next : '#/presets', { replace: true });
    };
    const register = (invitation, isInvited = true) => put(heading('Open an account'), form({
        submit: 'Open the account', blame: { 'email-taken': 'email', 'invitation-invalid': 'invitation', 'invitation-required': 'invitation' },
        fields: [{ ...email, value: typed }, fresh, ...isInvited ? [{ name: 'invitation', label: 'Invitation', value: invitation }] : []],
        run: async (values) => {
            typed = values.email;
            const { status } = await send('auth/register', values);
            if (status === 202) return say('Look at your mail', `Open the link in the mail to ${values.email}. It works for 24 hours.`);
            const { data } = await send('auth/login', { email: values.email, password: values.password, ...await session.device() });
            return done(data, false);
        },
    }), back('Log in instead'));
    const forgotten = () => put(heading('Forgotten password'), form({ fields: [{ ...email, value: typed }], submit: 'Send a link', run: async (values) => {
        typed = values.email;
        await send('auth/password-reset', values);
        say('Look at your mail', `If ${values.email} has an account, a mail with a link is on its way. It works for an hour.`);
    } }), back());
    const reset = () => put(heading('Set a new password'), form({ fields: [newPassword], submit: 'Set the password',
        run: async (values) => {
            await send('auth/password-reset/confirm', { token, ...values });
            say('Password set', 'Every session has ended. Log in with the new password.', 'Log in', restart);
        } }));
    const verify = () => send('auth/email/verify', { token }).then(() => say('Address confirmed', 'Your e-mail address is confirmed.', 'Go on'),
        (problem) => say(problem.title, problemText(problem)));
    const logIn = () => document.body.dataset.state === 'ready' ? navigate('#/presets', { replace: true }) : steps(card, {
        known: typed || (last?.user.email ?? ''), title: heading('Log in'), note: notes, done, below: ({ registration = '', mail }) => [h('div', { class: 'row' },
            ['open', 'invitation'].includes(registration) && link('Open an account', () => register('', registration === 'invitation')),
            mail && link('Forgotten password', forgotten)),
        (registration === 'closed' || mail === false) && h('p', { class: 'small muted' }, 'The operator of this server helps with accounts and passwords.')] });
    if (kind === 'verify') say('Confirm your address', 'You opened the link of a mail. One press confirms the address.', 'Confirm', verify);
    else if (kind === 'reset') reset();
    else if (kind === 'invitation' && document.body.dataset.state === 'ready') say('Log out first',
        `${last?.user.email} is logged in here. Log out, then open the link of the invitation again.`, 'Log out', signOut);
    else if (kind === 'invitation') register(token);
    else await logIn();
    firstOf(card)?.setAttribute('data-first', '');
    return page;
}
