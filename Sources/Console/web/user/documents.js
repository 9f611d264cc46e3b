// Documents exactly as they were sent: numbers keep their digits, and members that nobody here knows stay.
import { pathLabel, plural, valueText } from './texts.js';

/** @typedef {{ pointer: string, a: any, b: any }} Difference   undefined: not set */

const { rawJSON, isRawJSON } = /** @type {any} */ (JSON);
/** Members that the writing itself changes: no comparison shows them. */
const KEPT_UP = new Set(['/id', '/modified_at']);
const shownMax = 240, shownBefore = 40, namedMax = 4;

/** Parses a document. A number that JavaScript would write in another way stays as it is written. @param {string} text */
export const parse = (text) => JSON.parse(text, /** @type {any} */ ((key, value, context) =>
    typeof value === 'number' && String(value) !== context.source ? rawJSON(context.source) : value));
/** @param {any} value @returns {string} */
export const textOf = (value) => JSON.stringify(value);

/** @param {any} value */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
const isNumber = (value) => typeof value === 'number' || isRawJSON(value);
const own = (object, name) => isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;

/** A number by its value: sign, digits and power of ten. 4e2, 400 and 400.0 are the same one. */
function digits(value) {
    const [, sign, whole, part = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(value.rawJSON ?? String(value)) ?? [];
    const all = whole + part;
    let [start, end] = [0, all.length];
    while (all[start] === '0') start += 1;
    while (end > start && all[end - 1] === '0') end -= 1;
    return start === end ? '0' : `${sign}${all.slice(start, end)}e${Number(power) - part.length + all.length - end}`;
}
/** Whether both are the same JSON. @param {any} a @param {any} b @returns {boolean} */
export function same(a, b) {
    if (isNumber(a) && isNumber(b)) return a === b || digits(a) === digits(b);
    if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => same(item, b[index]));
    if (!isObject(a) || !isObject(b)) return a === b;
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
}

/** The JSON Pointer (RFC 6901) of a member. @param {string} parent @param {string} name */
export const pointerTo = (parent, name) => `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
const names = (pointer) => pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
/** The value of a member, undefined if there is none. @param {any} document @param {string} pointer */
export const at = (document, pointer) => names(pointer).reduce(own, document);
/** A copy with another value of a member; undefined removes it. @param {any} document @param {string} pointer @param {any} value */
export const withMember = (document, pointer, value) => replaced(document, names(pointer), value);
function replaced(object, [name, ...below], value) {
    if (value === undefined && !isObject(object)) return object;
    const members = isObject(object) ? object : {};
    const next = below.length ? replaced(own(members, name), below, value) : value;
    return next === undefined ? Object.fromEntries(Object.entries(members).filter(([key]) => key !== name)) : { ...members, [name]: next };
}

/** The members with different values; an array is one value. @param {any} a @param {any} b @returns {Difference[]} */
export const differences = (a, b) => different(a, b, '').filter(({ pointer }) => !KEPT_UP.has(pointer));
function different(a, b, pointer) {
    if (!isObject(a) || !isObject(b)) return same(a, b) ? [] : [{ pointer, a, b }];
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) => different(own(a, name), own(b, name), pointerTo(pointer, name)));
}
/** A merge patch (RFC 7396) of texts and numbers. @param {{ pointer: string, value: any }[]} changes */
export const mergePatch = (changes) => changes.reduce((patch, { pointer, value }) => withMember(patch, pointer, value ?? null), {});

/** A tag from an ETag, which a proxy may have made weak or lengthened; undefined if there is none. @param {Headers} headers */
export const tagOf = (headers) => /\d+-[0-9a-f]{12}/.exec(headers.get('etag') ?? '')?.[0];
/** A version's number, from its tag. @param {string} tag */
export const numberOf = (tag) => tag.split('-')[0];

/** A number that JavaScript has exactly is shown as any other. */
const plain = (value) => isRawJSON(value) && Number.isFinite(Number(value.rawJSON)) && same(Number(value.rawJSON), value) ? Number(value.rawJSON) : value;
/** A value for people, as JSON if `other` looks the same. A long one is cut, so that its first difference to `other` can be seen. @param {string} pointer @param {any} value @param {any} [other] */
export function shown(pointer, value, other = value) {
    let text = valueText(pointer, plain(value)), against = other === value ? '' : valueText(pointer, plain(other));
    if (text === against) [text, against] = [textOf(value) ?? text, textOf(other) ?? text];
    if (text.length <= shownMax) return text;
    let start = 0;
    while (start < text.length && text[start] === against[start]) start += 1;
    start = start < shownMax - shownBefore ? 0 : start - shownBefore;
    return `${start ? '…' : ''}${text.slice(start, start + shownMax)}${start + shownMax < text.length ? '…' : ''}`.toWellFormed();
}
/** Members in words. @param {{ pointer: string }[]} list */
export const named = (list) => list.slice(0, namedMax).map(({ pointer }) => pathLabel(pointer)).join('; ') + (list.length > namedMax ? ` and ${plural(list.length - namedMax, 'other')}` : '');
