// A form that the schema of presets makes: a labelled input for each listed member, checked as the schema says.
import { get } from './api.js';
import { at, isObject, parse, pointerTo, shown } from './documents.js';
import { label, pathLabel, plural, unit, word } from './texts.js';
import { errorSummary, field, fill, h, setFieldError } from './view.js';

/** @typedef {{ pointer: string, name: string, schema: any, isRequired: boolean, input: any }} Entry
 *  @typedef {{ schema: any, element: HTMLElement, entries: Map<string, Entry> }} Form */

/** Beginnings of new presets. */
export const STARTERS = {
    portrait: { name: 'Portrait', preset: 'portrait', video_format: 'H.265', resolution: '4K UHD', frame_rate: 30, exposure_settings: { mode: 'auto' } },
    landscape: { name: 'Landscape', preset: 'landscape', video_format: 'H.265', resolution: '4K UHD', frame_rate: 24, exposure_settings: { mode: 'auto' } },
    night: { name: 'Night', preset: 'night', video_format: 'H.265', resolution: 'Full HD 1080p', frame_rate: 24, exposure_settings: { mode: 'manual', iso: 1600, shutter_speed: 0.04 } },
    blank: { name: '', preset: 'auto', video_format: 'H.264', resolution: 'Full HD 1080p', frame_rate: 30 },
};
const listedMax = 100;
/** @type {Promise<any>|undefined} */
let reading;
/** The schema, read once. @returns {Promise<any>} */
export const presetSchema = () => reading ??= get('schemas/camera-configuration.json', { anonymous: true }).catch((problem) => {
    reading = undefined;
    throw problem;
});

/** @param {any} schema @param {(entry: Entry) => void} typed @param {(entry: Entry) => void} left after the person went on @returns {Form} */
export function makeForm(schema, typed, left) {
    const entries = new Map();
    const add = (entry) => {
        entry.input.addEventListener('input', () => typed(entry));
        entry.input.addEventListener('change', () => left(entry));
        entries.set(entry.pointer, entry);
    };
    return { schema, entries, element: h('div', { class: 'form-grid' }, fields(schema, '', add)) };
}
/** Times and ids are the server's business; a type that no input fits is listed as kept. */
const hasInput = ({ type, format }) => ['string', 'number', 'integer'].includes(type) && !format;

function fields(schema, parent, add) {
    return Object.entries(schema.properties).map(([name, part]) => {
        const pointer = pointerTo(parent, name), isRequired = (schema.required ?? []).includes(name);
        if (part.properties) return h('fieldset', null, h('legend', null, label(name)), h('div', { class: 'form-grid' }, fields(part, pointer, add)));
        if (!hasInput(part)) return null;
        const input = inputFor(part, isRequired);
        add({ pointer, name: label(name), schema: part, isRequired, input });
        const made = field(label(name), input, { hint: hint(part), unit: unit(name) });
        if (part.type === 'string' && !part.enum) made.classList.add('whole');
        return made;
    });
}
function inputFor({ type, enum: list, minimum }, isRequired) {
    if (list) return h('select', { required: isRequired }, !isRequired && h('option', { value: '' }, 'Not set'), list.map((value) => h('option', { value }, word(value))));
    const keyboard = type === 'integer' ? 'numeric' : type === 'string' || minimum < 0.01 ? 'text' : 'decimal';  // with a sign and a slash
    return h('input', { type: 'text', inputmode: keyboard, autocomplete: 'off', required: isRequired, dir: type === 'string' && 'auto' });
}
const range = ({ minimum, maximum }) => minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`;
/** Small numbers of seconds are easier as fractions. */
const isFraction = (part) => part.type === 'number' && part.minimum > 0 && part.minimum < 0.01;
const hint = (part) => isFraction(part) ? `${range(part)}; 1/50 is good, too` : part.type === 'integer' && range(part) ? `${range(part)}, whole` : range(part);

/** A value as an input has it: 1/60, where the number is exactly that. @param {any} value @param {any} schema */
export function inputText(value, schema) {
    const below = isFraction(schema) && value > 0 && value < 0.5 ? Math.round(1 / value) : 0;
    if (1 / below === value) return `1/${below}`;
    return value === undefined || value === null ? '' : typeof value === 'string' ? value : value.rawJSON ?? String(value);
}
/** Puts a text into an input; a listed input learns a value that its list lacks. @param {any} input @param {string} text */
export function putText(input, text) {
    if (input.value === text) return;
    if (input.tagName === 'SELECT' && ![...input.options].some((option) => option.value === text)) input.append(h('option', { value: text }, text || 'Choose'));
    input.value = text;
}

/** What a typed text means: a value (undefined: the member goes), or what is wrong. @param {Entry} entry @param {string} text @returns {{ value?: any, error?: string }} */
export function meaning({ name, schema, isRequired }, text) {
    if (text.trim() === '') return isRequired ? { error: `${name} can't be empty.` } : { value: undefined };
    return schema.type === 'string' ? textMeaning(schema, text) : numberMeaning(schema, text.trim());
}
function textMeaning({ maxLength = Infinity }, text) {
    const length = text.length > maxLength ? [...text].length : 0;
    return length > maxLength ? { error: `At most ${plural(maxLength, 'character')}; this has ${length}.` } : { value: text };
}
/** Decimal commas and fractions are read; all digits are kept. */
function numberMeaning(schema, typed) {
    const within = `${schema.type === 'integer' ? 'whole ' : ''}number${range(schema) && ` from ${range(schema)}`}`;
    const text = /^[-+]?\d+,\d+$/.test(typed) ? typed.replace(',', '.') : typed, [, above, below] = /^([-+]?\d+)\s*\/\s*(\d+)$/.exec(text) ?? [];
    const isQuotient = below !== undefined && schema.type === 'number', number = isQuotient ? Number(above) / Number(below) : Number(text);
    const isNumber = Number.isFinite(number) && (isQuotient || /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text));
    const isWithin = number >= (schema.minimum ?? -Infinity) && number <= (schema.maximum ?? Infinity);
    if (!isNumber || !isWithin || schema.type === 'integer' && !Number.isInteger(number)) return { error: `Enter a ${within}.` };
    return { value: /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i.test(text) ? parse(text) : number };
}

/** What is wrong with the texts that count: those that were typed, of a new preset all. @param {Form} form @param {Map<string, { text: string }>} touched @param {boolean} isNew */
export const faultsOf = ({ entries }, touched, isNew) => [...entries.values()].filter(({ pointer }) => isNew || touched.has(pointer)).flatMap((entry) => {
    const { error } = meaning(entry, touched.get(entry.pointer)?.text ?? entry.input.value);
    return error ? [{ input: entry.input, text: error }] : [];
});
/** Puts texts at their fields, and names them in a summary that takes the focus. @param {Form} form @param {any} place @param {{ input: any, text: string }[]} list */
export function blame({ entries }, place, list) {
    for (const { input } of entries.values()) setFieldError(input, list.find((one) => one.input === input)?.text ?? null);
    fill(place, list.length > 0 && errorSummary(list.map(({ input, text }) => ({ input, text: `${input.labels[0].textContent}: ${text}` }))));
    place.firstChild?.focus();
    return list.length > 0;
}

/** The members that no input shows, if there are any; their exact values are read when somebody looks. @param {any} document @param {Form} form @param {() => Promise<any>} exactly */
export function keptMembers(document, form, exactly) {
    const pointers = unlisted(document, form.schema, '', form.entries), list = h('dl', { class: 'facts' });
    if (pointers.length === 0) return null;
    const draw = (read) => fill(list, pointers.slice(0, listedMax).map((pointer) => h('div', null, h('dt', { dir: 'auto' }, pathLabel(pointer)),
        h('dd', { dir: 'auto' }, shown(pointer, at(read, pointer))))), pointers.length > listedMax && h('div', { class: 'muted' }, h('dt', null, 'And'), h('dd', null, plural(pointers.length - listedMax, 'other'))));
    const look = async () => {
        if (list.firstChild) return;
        draw(document);
        draw(await exactly());
    };
    return h('details', { class: 'card', ontoggle: look }, h('summary', null, `${plural(pointers.length, 'other setting')}, kept as sent`), list);
}
function unlisted(object, schema, parent, entries) {
    return Object.keys(object).flatMap((name) => {
        const pointer = pointerTo(parent, name), part = Object.hasOwn(schema.properties, name) ? schema.properties[name] : null;
        if (part?.properties && isObject(object[name])) return unlisted(object[name], part, pointer, entries);
        return entries.has(pointer) || part?.format ? [] : [pointer];
    });
}
