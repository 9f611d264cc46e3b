// Deleted presets, the last one first. Each can be brought back while the server keeps a document of it.
import { get, id as part, request } from './api.js';
import { navigate } from './app.js';
import { numberOf, parse } from './documents.js';
import { presets, pull } from './reading.js';
import { deviceText, putBack } from './saving.js';
import { session } from './session.js';
import { number, timeElement } from './texts.js';
import { button, emptyState, fill, h, icon, toast } from './view.js';

/** Each costs two requests. */
const pageSize = 20;

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ signal }) {
    await presets.ready();
    const ids = [...presets.deleted].reverse(), list = h('ul', { class: 'list rows', 'aria-label': 'Deleted presets' }), foot = h('div', { class: 'row' }), here = await session.deviceID();
    const more = async () => {
        const rows = (await Promise.all(ids.slice(0, pageSize).map((id) => read(id, signal)))).map((one) => row(one, here));
        ids.splice(0, pageSize);
        list.append(...rows);
        fill(foot, ids.length > 0 && button('', more, `Show more (${number(ids.length)})`));
        return rows[0]?.querySelector('a').focus();
    };
    const hasSome = ids.length > 0;
    if (hasSome) await more();
    return { title: 'Deleted presets', content: h('div', { class: 'page narrow' }, h('div', { class: 'stack' },
        h('a', { class: 'row back', href: '#/presets' }, icon('back'), 'Presets'), h('h1', null, 'Deleted presets')), hasSome ? list : emptyState({ title: 'No preset was deleted' }), foot) };
}
/** The deletion, and the newest document before it: null if none is kept. */
async function read(id, signal) {
    const path = `configurations/${part(id)}/versions`, { versions } = await get(path, { query: { limit: 10 }, signal }), last = versions.find((one) => one.has_document);
    const document = last && await request('GET', `${path}/${numberOf(last.version)}`, { as: 'text', signal }).then(({ data }) => parse(data), (problem) => {
        if (![404, 410].includes(problem.status)) throw problem;
        return null;
    });
    return { id, deletion: versions[0], document };
}
function row({ id, deletion, document }, here) {
    const name = document?.name ?? 'Deleted preset', hidden = h('span', { class: 'visually-hidden' }, ` ${name}`);
    const restore = async () => {
        await putBack(document.id, document, deletion.version);
        await pull();
        navigate(`#/presets/${part(id)}`);
        toast(`${name} is back.`);
    };
    return h('li', { class: 'item', 'data-test': 'deleted-row' }, h('div', { class: 'grow' }, h('a', { href: `#/presets/${part(id)}/history`, dir: 'auto' }, name),
        h('div', { class: 'small muted', dir: 'auto' }, 'Deleted ', timeElement(deletion.changed_at), `, ${deviceText(deletion.device, here)}`)),
        document ? button('', restore, 'Restore', hidden) : h('span', { class: 'chip' }, 'No longer kept'));
}
