// The page's own elements. No markup is ever parsed, so text of a document stays text.
import { ICONS } from './icons.js';
/** @typedef {string|number|Node|null|undefined|false|any[]} Child */
const SVG = 'http://www.w3.org/2000/svg';
let count = 0;
/** Makes an element; `svg:rect` makes one of SVG. @param {string} tag @param {Record<string, any>|null} [props] @param {...Child} children @returns {any} */
export function h(tag, props, ...children) {
    const element = tag.startsWith('svg:') ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
    append(element, children);  // first, since the value of a select needs its options
    for (const [name, value] of Object.entries(props ?? {})) if (value !== null && value !== undefined && value !== false) set(element, name, value);
    return element;
}
function set(element, name, value) {
    if (typeof value === 'function' && name.startsWith('on')) element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (name === 'vars') Object.entries(value).forEach(([key, text]) => element.style.setProperty(key, text));
    else if (['value', 'checked', 'indeterminate'].includes(name)) element[name] = value;
    else if (/^(on|style$|srcdoc$)/.test(name) || typeof value === 'object') throw new TypeError(`${name} can't be set.`);
    else if (/^(href|src)$/.test(name) && !/^https?:/.test(new URL(value, document.baseURI).href)) throw new TypeError(`${name} can't be linked.`);
    else element.setAttribute(name, value === true ? '' : String(value));
}
function append(parent, children) {
    for (const child of children) {
        if (Array.isArray(child)) append(parent, child);
        else if (child instanceof Node || typeof child === 'string' || typeof child === 'number') parent.append(/** @type {any} */ (child));
        else if (child !== null && child !== undefined && child !== false) throw new TypeError('A child is a text, a number or an element.');
    }
    return parent;
}
/** Replaces the content. @param {any} parent @param {...Child} children */
export const fill = (parent, ...children) => { parent.replaceChildren(append(new DocumentFragment(), children)); return parent; };
/** A button; another press while its work is under way does nothing. @param {string} kind @param {() => any} run @param {...any} content */
export function button(kind, run, ...content) {
    const pressed = async () => {
        if (made.ariaBusy) return;
        made.ariaBusy = 'true';
        try { await run(); } finally { made.ariaBusy = null; }
    };
    const made = h('button', { type: 'button', class: `button ${kind}`, onclick: pressed }, content);
    return made;
}
/** Draws a part of a page anew. A focus in it stays at the control with the same id, else it goes to the heading above. @param {any} part @param {() => void} draw */
export function keepFocus(part, draw) {
    const had = document.activeElement, isHeld = part.contains(had);
    draw();
    if (!isHeld || document.activeElement === had) return;
    const same = document.getElementById(had.id), heading = part.closest(':is(section, main):has(h1, h2)').querySelector('h1, h2');
    heading.tabIndex = -1;
    (same ?? heading).focus({ preventScroll: !same });
}
const shown = new WeakMap();
/** Shows rows and keeps the elements of those that were shown before, so focus and scrolling stay. */
export function keyed(parent, rows, key, make, update = (element, row) => {}) {
    const before = shown.get(parent) ?? new Map(), now = new Map(rows.map((row) => [key(row), before.get(key(row))]));
    const staying = new Set(now.values());
    for (const child of [...parent.children]) if (!staying.has(child)) child.remove();
    let next = parent.firstChild;
    for (const row of rows) {
        const element = now.get(key(row)) ?? make(row);
        if (now.get(key(row))) update(element, row); else now.set(key(row), element);
        if (element === next) next = next.nextSibling; else parent.insertBefore(element, next);
    }
    shown.set(parent, now);
}
/** Speaks to a screen reader and covers nothing. @param {string} text */
export const announce = (text) => ['', text].forEach((part, index) => setTimeout(() => fill(document.getElementById('status'), part), index * 50));
/** A message in the page's flow for 10 s, longer under the pointer or with focus. The last three with an action stay: it may be the only way back.
 *  @param {string} text @param {{action?: {label: string, run: () => void}}} [options] */
export function toast(text, { action } = {}) {
    const dismiss = h('button', { type: 'button', class: 'button quiet icon-only', 'aria-label': 'Dismiss', onclick: () => note.remove() }, icon('close'));
    const act = action && h('button', { type: 'button', class: 'button quiet', onclick: () => { note.remove(); action.run(); } }, action.label);
    const note = h('div', { class: `toast${act ? ' lasting' : ''}` }, h('span', null, text), act, dismiss);
    const later = () => setTimeout(() => note.matches(':hover, :focus-within') ? later() : note.remove(), 10_000);
    const place = document.getElementById('toasts'), lasting = [...place.querySelectorAll('.lasting')].slice(-2);
    for (const old of [...place.children]) if (!lasting.includes(old)) old.remove();
    place.append(note);
    place.scrollTop = place.scrollHeight;
    announce(text);
    later();
}
/** @param {string} name one of ICONS */
export const icon = (name) => h('svg:svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('svg:path', { d: ICONS[name] }));
/** A labelled input with hint, unit and error. @param {Child} label @param {any} input @param {{hint?: Child, error?: string, unit?: string}} [options] */
export function field(label, input, { hint, error, unit } = {}) {
    const id = input.id ||= `field-${++count}`;
    input.setAttribute('aria-describedby', `${hint ? `${id}-hint ` : ''}${unit ? `${id}-unit ` : ''}${id}-error`);
    if (error) input.setAttribute('aria-invalid', 'true');
    return h('div', { class: 'field' }, h('label', { for: id }, label), hint && h('p', { class: 'hint', id: `${id}-hint` }, hint),
        unit ? h('span', { class: 'with-unit' }, input, h('span', { class: 'muted', id: `${id}-unit` }, unit)) : input,
        h('p', { class: 'error', id: `${id}-error`, hidden: !error }, error));
}
/** @param {any} input of a field on the page @param {string|null} text */
export function setFieldError(input, text) {
    const note = input.closest('.field').querySelector('.error');
    input.ariaInvalid = text ? 'true' : null;
    [note.textContent, note.hidden] = [text ?? '', !text];
}
/** A modal question: the value of the chosen action, or null. `check` may keep it open. @param {{title: string, body?: Child, actions: {label: string, value: any, kind?: string}[], cancel?: string, check?: (value: any) => any}} options */
export function ask({ title, body = '', actions, cancel = 'Cancel', check = () => true }) {
    const { promise, resolve } = Promise.withResolvers(), id = `ask-${++count}`;
    const choose = async (action) => {
        if (dialog.ariaBusy === 'true') return;
        dialog.ariaBusy = 'true';
        if (await check(action.value)) { resolve(action.value); cancel = 'Cancel'; dialog.close(); }
        dialog.ariaBusy = 'false';
    };
    const buttons = actions.map((action, index) => h('button', { type: index ? 'button' : 'submit', class: `button ${action.kind ?? ''}`, onclick: index > 0 && (() => choose(action)) }, action.label));
    const dialog = h('dialog', { 'aria-labelledby': id, onclose: () => { if (cancel) { dialog.remove(); resolve(null); } else dialog.showModal(); } },
        h('form', { novalidate: true, onsubmit: (event) => { event.preventDefault(); choose(actions[0]); } }, h('h2', { id }, title), typeof body === 'string' ? h('p', null, body) : body,
            h('div', { class: 'actions' }, cancel && h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, cancel), buttons)));
    document.body.append(dialog);
    dialog.showModal();
    return promise;
}
/** Names the wrong fields: focus it. @param {{input: any, text: string}[]} list */
export const errorSummary = (list) => h('div', { class: 'summary', role: 'alert', tabindex: -1 }, h('ul', null, list.map(({ input, text }) =>
    h('li', null, h('a', { href: `#${input.id}`, onclick: (event) => { event.preventDefault(); input.focus(); } }, text)))));
export const loadingState = (label = 'Loading') => h('div', { class: 'skeleton', role: 'status', 'aria-label': label }, h('i'), h('i'), h('i'));
/** @param {{title: string, text?: Child, actions?: Node[], kind?: string}} state */
export const emptyState = ({ title, text, actions = [], kind = 'empty' }) =>
    h('div', { class: kind, role: kind === 'failed' && 'alert' }, h('h2', null, title), text && h('p', null, text), h('div', { class: 'row' }, actions));
/** @param {any} problem a Problem @param {() => void} [again] */
export const errorState = (problem, again) => emptyState({ title: problem.title ?? 'Something went wrong', kind: 'failed', text: [problem.detail ?? problem.message,
    problem.requestID && h('span', { class: 'small muted' }, ` Request ${problem.requestID}`)], actions: [again && button('', again, 'Try again')] });
