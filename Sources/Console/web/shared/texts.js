// The page's words: labels and units of members, numbers, times and sizes. English, with the browser's English dates if it has any.
import { h } from './view.js';

const locale = navigator.languages?.find((language) => language.startsWith('en')) ?? 'en-GB';
const numbers = new Intl.NumberFormat(locale), decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat(locale, { maximumSignificantDigits: 15, useGrouping: false });
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const LABELS = {
    name: 'Name', preset: 'Kind', video_format: 'Video format', resolution: 'Resolution', frame_rate: 'Frame rate', exposure_settings: 'Exposure',
    mode: 'Mode', iso: 'ISO', shutter_speed: 'Shutter speed', exposure_compensation: 'Compensation', created_at: 'Created', modified_at: 'Edited',
    focus_settings: 'Focus', lens_position: 'Lens position', white_balance_settings: 'White balance', temperature: 'Temperature', kelvin: 'Temperature', tint: 'Tint',
    creation_date: 'Recorded', device_model: 'Camera model', app_version: 'App version', camera_position: 'Camera', custom_tags: 'Tags', filename: 'File name',
    duration: 'Length', file_size: 'Size', processing_status: 'State', failure: 'Reason', device_id: 'Device', configuration_id: 'Preset', content_type: 'File type',
    sha256: 'Digest (SHA-256)', uploaded_at: 'Uploaded', container: 'Container', width: 'Width', height: 'Height', video_codec: 'Video codec', audio_codec: 'Sound codec',
    location: 'Place', latitude: 'Latitude', longitude: 'Longitude', altitude: 'Altitude', verified_at: 'Verified', color: 'Colour', tags: 'Labels', id: 'Id',
};
const UNITS = {
    frame_rate: 'frames/s', shutter_speed: 's', exposure_compensation: 'EV', temperature: 'K', kelvin: 'K', duration: 's', altitude: 'm', latitude: '°', longitude: '°',
};
const VALUES = {
    auto: 'Automatic', portrait: 'Portrait', landscape: 'Landscape', macro: 'Macro', sport: 'Sport', night: 'Night', professional: 'Professional',
    manual: 'Manual', shutter_priority: 'Shutter priority', iso_priority: 'ISO priority', continuous: 'Continuous',
    pending: 'Waiting', processing: 'Processing', ready: 'Ready', completed: 'Ready', uploading: 'Uploading', failed: 'Failed', back: 'Back', front: 'Front',
    unspecified: 'Not stated', analytics: 'How the app is used', usage_metrics: 'How well the app runs', crash_reports: 'Crash reports',
};
/** Members whose values are words of a list; every other text is shown as it is. */
const LISTED = new Set(['preset', 'mode', 'camera_position', 'processing_status']);
const EVENTS = {
    login: 'Logged in', 'login-failed': 'Wrong password', 'second-factor-failed': 'Wrong second factor', 'passkey-counter': 'A passkey may have been copied',
    'device-new': 'Logged in on a new device', 'session-revoked': 'A session was ended', 'token-reused': 'An old token came again; its session was ended',
    'token-elsewhere': 'A session continued from another network', 'password-changed': 'Password changed', 'totp-added': 'Authenticator app added',
    'totp-removed': 'Authenticator app removed', 'passkey-added': 'Passkey added', 'passkey-removed': 'Passkey removed', 'identity-added': 'Provider linked',
    'identity-removed': 'Provider removed', export: 'Data exported', deletion: 'Account deleted',
};
const QUOTAS = {
    items: 'Items', tombstones: 'Deleted items', history_bytes: 'History', recording_bytes: 'Files of recordings', open_uploads: 'Open uploads',
    events: 'Usage events', devices: 'Devices', passkeys: 'Passkeys', identities: 'Providers', configurations: 'Presets', recordings: 'Recordings',
};

/** `some_member` as words: unknown members have labels, too. @param {string} text */
const words = (text) => text.replaceAll(/[_-]+/g, ' ').replace(/^\p{L}/u, (letter) => letter.toUpperCase());
const own = (table, key) => Object.hasOwn(table, key) ? table[key] : undefined;

/** The label of a member: the last part of a path or a JSON Pointer. @param {string} member */
export const label = (member) => {
    const last = member.split(/[/.]/).at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~') ?? member;
    return own(LABELS, last) ?? words(last);
};
/** The label with those of the objects around it: `Exposure, ISO`. @param {string} pointer */
export const pathLabel = (pointer) => pointer.split('/').filter(Boolean).map(label).join(', ');
/** @param {string} member */
export const unit = (member) => own(UNITS, member.split(/[/.]/).at(-1) ?? '') ?? '';
/** The word for a value that the schema lists. @param {string} value */
export const word = (value) => own(VALUES, value) ?? value;
/** @param {string} kind of a security event */
export const eventText = (kind) => own(EVENTS, kind) ?? words(kind);
/** @param {{ quota: string, collection: string|null }} quota */
export const quotaLabel = ({ quota, collection }) => {
    if (quota === 'items' && collection) return own(QUOTAS, collection) ?? words(collection);
    const name = own(QUOTAS, quota) ?? words(quota);
    return collection ? `${name} of ${(own(QUOTAS, collection) ?? collection).toLowerCase()}` : name;
};

/** @param {number} value */
export const number = (value) => numbers.format(value);
/** @param {number} count @param {string} noun */
export const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
/** Decimal units, as disks are sold. @param {number} count */
export const bytes = (count) => {
    const step = count < 1000 ? 0 : Math.min(5, Math.floor(Math.log10(count) / 3));
    return `${(step ? decimals : numbers).format(count / 1000 ** step)} ${['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'][step]}`;
};
/** @param {number} seconds as 0:07, 12:30, 1:02:03 */
export const duration = (seconds) => {
    const whole = Math.round(seconds), parts = [Math.floor(whole / 60) % 60, whole % 60], hours = Math.floor(whole / 3600);
    return (hours ? [hours, ...parts] : parts).map((part, index) => index ? String(part).padStart(2, '0') : String(part)).join(':');
};
/** A shutter speed as photographers write it: 1/50 s, 2 s. @param {number} seconds */
const shutter = (seconds) => {
    const inverse = Math.round(1 / seconds);
    return seconds < 0.5 && Math.abs(inverse * seconds - 1) < 0.01 ? `1/${numbers.format(inverse)} s` : `${fine.format(seconds)} s`;
};
/** A member's value for reading, with its unit. @param {string} member @param {any} value @returns {string} */
export const valueText = (member, value) => {
    const name = member.split(/[/.]/).at(-1) ?? member;
    if (value === undefined) return 'Not set';
    if (value === null || value === '') return 'Empty';
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    if (name === 'shutter_speed' && typeof value === 'number' && value > 0) return shutter(value);
    if (name === 'file_size' && typeof value === 'number') return bytes(value);
    if (name === 'duration' && typeof value === 'number') return duration(value);
    if (typeof value === 'number') return `${fine.format(value)} ${unit(name)}`.trim();
    if (typeof value === 'string') return /_at$|_date$/.test(name) && Date.parse(value) ? dateTime(value) : LISTED.has(name) ? word(value) : value;
    if (typeof value.rawJSON === 'string') return value.rawJSON;
    if (Array.isArray(value)) return value.map((item) => valueText(name, item)).join(', ') || 'None';
    return Object.entries(value).map(([key, inner]) => `${label(key)}: ${valueText(key, inner)}`).join(', ') || 'None';
};

const valid = (time) => !Number.isNaN(new Date(time).getTime());
/** @param {Date|string|number} time */
export const dateTime = (time) => valid(time) ? times.format(new Date(time)) : String(time);
/** With seconds. @param {Date|string|number} time */
export const exactTime = (time) => valid(time) ? exact.format(new Date(time)) : String(time);
/** @param {Date|string|number} time */
export const date = (time) => valid(time) ? days.format(new Date(time)) : String(time);
/** What signatures add to this device's clock; and how far it is behind the server's, as answers have it. In milliseconds. */
export const clock = { skew: 0, ahead: 0 };
/** The server's time, as far as it is known. */
export const now = () => new Date(Date.now() + clock.ahead);
/** A time as documents have it: Swift's `.iso8601` reads no fraction before Swift 6.2. */
export const timeText = (time = now()) => time.toISOString().replace(/\.\d+/, '');
/** Tells of a clock that is wrong by minutes. */
export const clockText = () => {
    const minutes = Math.round(clock.ahead / 60_000), distance = Math.abs(minutes);
    return distance > 1 && `This device's clock is ${plural(distance, 'minute')} ${minutes > 0 ? 'slow' : 'fast'}. Requests use the server's time.`;
};
/** "3 minutes ago", up to a week; then the date. @param {Date|string|number} time */
export const relative = (time) => {
    const seconds = (new Date(time).getTime() - now().getTime()) / 1000, distance = Math.abs(seconds);
    if (!valid(time) || distance > 7 * 86_400) return date(time);
    if (distance < 45) return 'just now';
    const [size, name] = distance < 3_000 ? [60, 'minute'] : distance < 80_000 ? [3600, 'hour'] : [86_400, 'day'];
    return ago.format(Math.round(seconds / /** @type {number} */ (size)), /** @type {any} */ (name));
};
/** The same as an element, with the exact time. @param {string} time @param {(time: string) => string} [text] */
export const timeElement = (time, text = relative) => valid(time) ? h('time', { datetime: new Date(time).toISOString(), title: dateTime(time) }, text(time)) : h('span', null, String(time));
/** A refusal in a sentence, without its code. @param {any} problem */
export const problemText = (problem) => problem.detail ?? problem.message ?? String(problem);
