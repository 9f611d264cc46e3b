// The account: devices with their sessions and remote control, room, what happened, consents, password, export, deletion.
import { changed, devices as online, presets, readState, start, stop, streams, watch, whenRecovered, withoutWaiting } from './reading.js';
import { download, get, id as encoded, Problem, request } from './api.js';
import { form, newPassword, password, proof } from './login.js';
import { modal, restart } from './app.js';
import { session } from './session.js';
import { meter } from './chart.js';
import { bytes, date, eventText, label, now, number, plural, problemText, quotaLabel, relative, timeElement, valueText } from './texts.js';
import { drawConsents } from './usage.js';
import { ask, button as pressable, emptyState, errorState, field, fill, h, icon, keepFocus, loadingState, setFieldError, toast } from './view.js';
const button = (text, run, kind = '') => pressable(kind, run, text);
/** A part that loads by itself: its error leaves the rest. */
function part(name, title, read, draw, signal) {
    const body = h('div', { class: 'stack' }, loadingState(title));
    const load = () => read().then((data) => keepFocus(body, () => draw(body, data, load)))
        .catch((problem) => {
            if (problem.code === 'cancelled') return;
            keepFocus(body, () => fill(body, errorState(problem, load)));
            whenRecovered(problem, load, signal);
        });
    load();
    const id = `part-${name}`, heading = h('h2', { id: `${id}-title`, tabindex: -1 }, title);
    return h('section', { class: 'card stack', id, 'aria-labelledby': `${id}-title` }, heading, body);
}
/** The commands that the page offers, with the words of their buttons. */
const COMMANDS = { start_video_recording: 'Start recording', stop_video_recording: 'Stop recording', capture_photo: 'Take a photo' };
const OUTCOMES = {
    done: 'Done.', delivered: 'Sent. This device does not report back.', unreachable: 'The device can\'t be reached. Nothing was sent.',
    timeout: 'The device did not answer within 10 seconds. It may have done it: look at it before you press again.',
};
/** Sends a command once. A lost answer is asked for again under the same id, within the command's time. */
async function command(device, name, parameters) {
    const json = { id: crypto.randomUUID(), to: device, command: name, parameters, timeout_ms: 10_000 }, begun = Date.now();
    const send = () => request('POST', 'realtime/commands', { json, timeout: 20_000 });
    const { data } = await send().catch((problem) => {
        if (problem.code !== 'offline' || Date.now() - begun > json.timeout_ms) throw problem;
        return send();
    });
    const reason = typeof data.error === 'string' ? data.error : data.error?.message ?? data.error?.detail ?? 'it gave no reason';
    return OUTCOMES[data.status] ?? `The device ${data.status === 'refused' ? 'refused' : 'failed'}: ${reason}`;
}
/** What an online device accepts, as buttons. */
function control(device, accepts) {
    const answer = h('p', { role: 'status', class: 'small' });
    const run = async (name, parameters) => {
        fill(answer, 'Waiting for the device…');
        fill(answer, await command(device, name, parameters).catch(problemText));
    };
    const names = Object.keys(COMMANDS).filter((name) => accepts.includes(name));
    const canLoad = accepts.includes('load_configuration') && presets.rows.size > 0;
    const sorted = canLoad ? [...presets.rows.values()].sort((a, b) => a.document.name.localeCompare(b.document.name)) : [];
    const choice = h('select', { 'aria-label': 'Preset to load' }, sorted.map((row) => h('option', { value: row.id }, row.document.name)));
    return (names.length > 0 || canLoad) && h('fieldset', null, h('legend', null, 'Remote control'),
        h('div', { class: 'row' }, names.map((name) => button(COMMANDS[name], () => run(name)))),
        canLoad && h('div', { class: 'with-unit' }, choice, button('Load preset', () => run('load_configuration', { configuration_id: choice.value }))), answer);
}
/** Chips and controls of a device, made anew when its state or what it accepts changes: an answer stays meanwhile. */
function showOnline(place, device) {
    const found = online().find((one) => one.device_id === device), status = found?.status ?? {};
    const state = String(status?.state ?? 'online').slice(0, 60), isOnline = Boolean(found) && state !== 'offline';
    const accepts = isOnline && Array.isArray(status.accepts) ? status.accepts : [], now = JSON.stringify(accepts);
    const { state: word, accepts: names, ...rest } = typeof status === 'object' ? status : { status }, running = streams().filter((one) => one.device_id === device);
    fill(place.firstChild, isOnline && h('span', { class: 'chip ok', dir: 'auto' }, label(state)),
        running.map(({ destinations = [] }) => h('span', { class: 'chip warn' }, `Streaming to ${plural(destinations.length, 'destination')}`)),
        isOnline && Object.keys(rest).length > 0 && h('span', { class: 'small muted', dir: 'auto' }, valueText('status', rest).slice(0, 200)));
    if (place.dataset.accepts === now) return;
    place.dataset.accepts = now;
    fill(place.lastChild, control(device, accepts));
}
const rename = (device, load) => {
    const input = h('input', { value: device.name ?? '', maxlength: 200, dir: 'auto', autocomplete: 'off' });
    return ask({ title: 'Rename the device', body: field('Name', input), actions: [{ label: 'Save', value: true, kind: 'primary' }], check: async () => {
        const name = input.value.trim() || null;
        const sent = request('PATCH', `devices/${encoded(device.id)}`, { json: { name }, type: 'application/merge-patch+json' });
        const problem = await sent.then(() => null, (error) => error);
        setFieldError(input, problem && (problem.errors?.[0]?.detail ?? problemText(problem)));
        if (!problem) { changed('devices'); load(); }
        return !problem;
    } });
};
/** Asks, sends, says what was done. A 404 means that it was done before. */
async function after(question, path, text, load) {
    if (!await ask({ ...question, actions: [{ label: question.action, value: true, kind: 'danger' }] })) return;
    const problem = await request('DELETE', path).then(() => null, (error) => error);
    if (problem && problem.status !== 404 && problem.code !== 'cancelled') toast(problemText(problem));
    if (!problem || problem.status === 404) toast(text);
    await load();
}
/** The server notes such times once an hour. */
const hourly = (time) => now().getTime() - Date.parse(time) < 3_600_000 ? 'within the last hour' : relative(time);
function sessionRow(one, load) {
    const question = { title: 'End this session?', action: 'End session', body: 'Whoever uses it must log in again.' };
    const end = () => after(question, `auth/sessions/${encoded(one.id)}`, 'The session has ended.', load), from = one.address ?? 'an unknown address';
    return h('li', { class: 'row', 'data-test': 'session-row' },
        h('span', { class: 'small muted' }, one.address ?? 'Unknown address', ', began ', timeElement(one.created_at), one.current ? ', used now' : [', last used ', timeElement(one.last_used_at, hourly)]),
        one.current ? h('span', { class: 'chip' }, 'This session') : Object.assign(button('End', end, 'quiet'), { ariaLabel: `End the session from ${from}` }));
}
function deviceRow({ device, sessions }, load) {
    const place = h('div', { class: 'stack' }, h('div', { class: 'row' }), h('div')), name = device.name ?? device.id;
    const removed = { title: `Remove ${name}?`, action: 'Remove device', body: 'Its sessions end at once. What it has written stays.' };
    const remove = () => after(removed, `devices/${encoded(device.id)}`, 'The device is removed.', load);
    const facts = [device.model, device.app_version && `version ${device.app_version}`].filter(Boolean).join(', ');
    const actions = device.isListed && h('span', { class: 'actions', role: 'group', 'aria-label': `Actions for ${name}` },
        Object.assign(button('Rename', () => rename(device, load), 'quiet'), { id: `rename-${device.id}` }), !device.current && button('Remove', remove, 'quiet'));
    const row = h('li', { class: 'item device', 'data-test': 'device-row' }, icon('device'), h('div', { class: 'grow stack' },
        h('div', { class: 'page-head' }, h('div', null, h('div', { class: 'row' }, h('h3', { dir: 'auto' }, name), device.current && h('span', { class: 'chip' }, 'This browser')),
            device.isListed && h('p', { class: 'small muted' }, 'Seen ', device.current ? 'now' : timeElement(device.last_seen_at, hourly), facts && h('span', { dir: 'auto' }, `, ${facts}`))), actions), place,
        sessions.length > 0 && h('ul', { class: 'stack', 'aria-label': `Sessions of ${name}` }, sessions.map((one) => sessionRow(one, load)))));
    return Object.assign(row, { online: () => showOnline(place, device.id) });
}
const readDevices = async (signal) => {
    const optional = [presets.ready(), readState()].map((read) => read.catch(() => {}));  // without them the list is still right
    const [{ devices }, { sessions }] = await Promise.all([get('devices', { signal }), get('auth/sessions', { signal }), ...optional]);
    const listed = new Set(devices.map((device) => device.id)), of = (wanted) => sessions.filter(wanted);
    const rows = devices.map((device) => ({ device: { ...device, isListed: true }, sessions: of((one) => one.device_id === device.id) }));
    const others = of((one) => !listed.has(one.device_id));
    return others.length ? [...rows, { device: { id: '', name: 'Sessions without a device', isListed: false }, sessions: others }] : rows;
};
function drawDevices(body, rows, load) {
    const elements = rows.map((row) => deviceRow(row, load)), others = rows.flatMap((row) => row.sessions).filter((one) => !one.current).length;
    const question = { title: `End ${plural(others, 'other session')}?`, action: 'End sessions', body: 'This browser stays logged in.' };
    const end = () => after(question, 'auth/sessions', 'All other sessions have ended.', load);
    fill(body, h('ul', { class: 'list' }, elements), others > 0 && h('div', { class: 'row' }, button('End all other sessions', end)));
    body.online = () => elements.forEach((row) => row.online());
    body.online();
}
function drawQuotas(body, { quotas }) {
    const shown = quotas.map((one) => {
        const text = one.quota.endsWith('bytes') ? bytes : number, used = one.used + one.reserved;
        return meter(quotaLabel(one), used, one.limit, one.limit === null ? text(used) : `${text(used)} of ${text(one.limit)}`);
    });
    fill(body, shown.slice(0, 4), shown.length > 4 && h('details', null, h('summary', null, 'More limits'), h('div', { class: 'stack' }, shown.slice(4))));
}
function drawEvents(body, [first, { devices }]) {
    const list = h('ul', { class: 'stack' }), more = h('div', { class: 'row' });
    const device = ({ device_id: id }) => id && h('span', { dir: 'auto' }, `, ${devices.find((one) => one.id === id)?.name ?? 'a device without a name'}`);
    const item = (one) => h('li', null,
        h('div', { class: 'row' }, h('span', null, eventText(one.kind)), one.count > 1 && h('span', { class: 'chip warn' }, `${number(one.count)} times`)),
        h('p', { class: 'small muted' }, timeElement(one.at), one.address && `, from ${one.address}`, device(one)));
    const add = ({ events, has_more, next }) => {
        list.append(...events.map(item));
        fill(more, has_more && button('Show more', async () => add(await get('account/events', { query: { limit: 20, before: next } }))));
    };
    add(first);
    fill(body, first.events.length ? [list, more] : emptyState({ title: 'Nothing has happened yet' }));
}
const passwordForm = () => form({
    fields: [{ ...password, name: 'current_password', label: 'Current password' }, newPassword],
    submit: 'Change the password', kind: '', blame: { 'credentials-invalid': 'current_password' }, run: async (json) => {
        const kept = await session.current();
        const change = async () => session.begin((await request('POST', 'auth/password', { json })).data, Boolean(kept?.stay));
        await withoutWaiting(change);
        toast('The password is changed. Every other session has ended.');
    } });
/** Saves everything as one file: on the disk where the browser can, else by way of its memory. */
async function exportAll(state) {
    const name = `neuroviews-${new Date().toISOString().slice(0, 10)}.json`, picker = /** @type {any} */ (window).showSaveFilePicker;
    const file = picker ? await picker({ suggestedName: name }).catch((error) => error) : null;
    if (file instanceof DOMException && file.name === 'AbortError') return;
    fill(state, 'Collecting your data…');
    try {
        const { data } = await request('GET', 'account/export', { as: 'response' });
        if (file?.createWritable) await data.body.pipeTo(await file.createWritable());
        else download(URL.createObjectURL(await data.blob()), name);
        fill(state, 'Saved. It has no files: its links to them work for 24 hours, and end with the account.');
    } catch (error) {
        fill(state, error instanceof Problem ? problemText(error) : 'The connection broke, so the file is not complete. Try again.');
    }
}
async function deleteAccount(email) {
    let wasLost = false;
    const isGone = (problem) => {
        if (problem.code === 'session-ended' && wasLost) return { data: { erased: null, complete: true } };  // the lost answer was a yes
        wasLost ||= problem.code === 'offline';
        throw problem;
    };
    const run = async (json) => {
        cancel.ariaDisabled = 'true';
        stop();
        return (await request('DELETE', 'account', { json, quiet: true, timeout: 120_000 }).catch(isGone).finally(() => { cancel.ariaDisabled = null; })).data;
    };
    let cancel = /** @type {any} */ (null);
    const canCancel = () => !cancel.ariaDisabled;  // the account would be deleted all the same
    const answer = await modal('Delete the account?', (end) => [
        h('p', null, `All presets, their history, all recordings and files of ${email} are deleted at once. Nobody can bring them back. Save your data and download your recordings first.`),
        proof({ submit: 'Delete the account for good', kind: 'danger', run: async (json) => end(await run(json)) }),
        cancel = button('Cancel', () => canCancel() && end(null))], { canCancel });
    if (!answer) return start();
    await session.forget();
    const counts = [['configurations', 'preset'], ['versions', 'version'], ['recordings', 'recording'], ['files', 'file']];
    const text = answer.erased && `Deleted: ${counts.map(([name, noun]) => plural(answer.erased[name], noun)).join(', ')}, ${bytes(answer.erased.bytes)}.`;
    await modal('The account is deleted', (end) => [h('p', null, text ?? 'Nothing of it is left.'),
        !answer.complete && h('p', null, 'The server is deleting the rest by itself.'), button('Close', () => end(true), 'primary')]);
    return restart();
}
/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ query, signal }) {
    const { user } = await get('account', { signal }), saved = h('p', { role: 'status', class: 'small muted' });
    const devices = part('devices', 'Devices and sessions', () => readDevices(signal), drawDevices, signal);
    const section = (title, ...parts) => h('section', { class: 'card stack' }, h('h2', null, title), parts);
    const about = (text) => h('p', { class: 'muted' }, text), row = (...parts) => h('div', { class: 'row' }, parts);
    watch('devices', () => /** @type {any} */ (devices.lastChild).online?.(), signal);
    const content = h('div', { class: 'page' }, h('div', { class: 'page-head' }, h('h1', null, 'Account')),
        h('p', { class: 'muted', dir: 'auto' }, `${user.email}, since ${date(user.created_at)}`), devices,
        h('div', { class: 'columns' }, h('div', { class: 'stack' },
            part('room', 'Room', () => get('account/quota', { signal }), drawQuotas, signal),
            part('consents', 'Consents', () => get('account/consents', { signal }), drawConsents, signal),
            section('Password', passwordForm()),
            section('Your data', about('One JSON file with everything that the server has about you, and links to the files of your recordings.'), row(button('Save my data', () => exportAll(saved))), saved),
            section('Delete the account', about('Deletes everything at once, and for good.'),
                row(button('Delete the account…', () => deleteAccount(user.email), 'danger')))),
        part('events', 'What happened', () => Promise.all([get('account/events', { query: { limit: 20 }, signal }), get('devices', { signal })]), drawEvents, signal)));
    const wanted = query.get('part');
    if (wanted) content.querySelector(`#part-${CSS.escape(wanted)}-title`)?.setAttribute('data-first', '');
    return { title: 'Account', content };
}
