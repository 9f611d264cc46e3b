// What was typed and is not at the server yet: in IndexedDB, by account and preset.
import { locked, persist, session, stored } from './session.js';
import { now } from './texts.js';

/** @typedef {{ id: string, version: string|null, start: string|null, at: string, touched: Record<string, import('./saving.js').Touched> }} Draft
 *  @typedef {import('./saving.js').Edit} Edit */

const drafts = stored('drafts');
/** Names in `sessionStorage`, which a page that goes can write at once; two servers may share an origin. */
const heldPrefix = `draft ${location.pathname} `;
const keyOf = (owner, id) => `${owner}/${id.toLowerCase()}`;
/** @param {Edit} edit @param {[string, any][]} [others] @returns {Draft} */
const draftFrom = ({ id, base, start, touched }, others = []) => ({ id, version: base.version, start, at: now().toISOString(), touched: Object.fromEntries([...others, ...touched]) });

/** @param {string} id @returns {Promise<Draft|undefined>} */
export async function draftOf(id) {
    await takeHeld();
    return drafts.get(keyOf(await session.userID(), id));
}
/** Those of this account. @returns {Promise<Draft[]>} */
export async function allDrafts() {
    await takeHeld();
    return (await drafts.of(await session.userID())).map(([, draft]) => draft);
}
/** Keeps what this tab has typed, beside what other tabs have. @param {Edit} edit */
export const keepDraft = (edit) => locked('drafts', {}, async () => {
    const owner = await session.userID(), key = keyOf(owner, edit.id);
    if (!owner) return;  // logged out meanwhile
    sessionStorage.removeItem(heldPrefix + key);
    const others = Object.entries((await drafts.get(key))?.touched ?? {}).filter(([pointer]) => !edit.known.has(pointer));
    if (others.length + edit.touched.size === 0) await drafts.remove(key); else await drafts.put(key, draftFrom(edit, others));
});

/** For the moment when the page goes: IndexedDB would be too slow. @param {string} owner @param {Edit} edit */
export function holdDraft(owner, edit) {
    if (owner && edit.touched.size > 0) sessionStorage.setItem(heldPrefix + keyOf(owner, edit.id), JSON.stringify(draftFrom(edit)));
}
async function takeHeld() {
    for (const name of Object.keys(sessionStorage).filter((one) => one.startsWith(heldPrefix))) {
        const key = name.slice(heldPrefix.length), held = JSON.parse(sessionStorage.getItem(name) ?? '{}');
        await drafts.put(key, { ...held, touched: { ...(await drafts.get(key))?.touched, ...held.touched } });
        sessionStorage.removeItem(name);
    }
}

/** @type {Promise<boolean>|undefined} */
let agreed;
/** Whether this browser deletes drafts: Safari does after a week, unless it agreed to keep them. */
export const losesDrafts = () => (agreed ??= persist()).then((isKept) => !isKept && /safari/i.test(navigator.userAgent) && !/chrom|android/i.test(navigator.userAgent));
