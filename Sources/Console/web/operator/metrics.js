// Figures of the running server: readings of /metrics, one every 5 s while the page is looked at, and differences between them.
import { get } from './calls.js';

/** @typedef {{ labels: Record<string, string>, value: number }} Sample
 *  @typedef {{ at: number, series: Map<string, Map<string, Sample>> }} Reading   by name, then by the labels' text
 *  @typedef {(labels: Record<string, string>) => boolean} Match */

const period = 5_000, minute = 60_000, sparse = 15_000, kept = 30 * minute;
const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/, LABEL = /(\w+)="((?:\\.|[^"\\])*)"/g;
const ESCAPES = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };
const anything = () => true;

/** Reads Prometheus' text format. @param {string} text @param {number} at @returns {Reading} */
export function parse(text, at) {
    const series = new Map();
    for (const line of text.split('\n')) {
        const parts = LINE.exec(line);
        if (!parts) continue;
        const [, name, labels = '', value] = parts;
        const pairs = [...labels.matchAll(LABEL)].map(([, key, word]) => [key, word.replaceAll(/\\[n"\\]/g, (mark) => ESCAPES[mark])]);
        if (!series.has(name)) series.set(name, new Map());
        series.get(name).set(labels, { labels: Object.fromEntries(pairs), value: value === '+Inf' ? Infinity : Number(value) });
    }
    return { at, series };
}
/** The sum of a gauge; null if the server does not give it. @param {Reading} reading @param {string} name @param {Match} [match] @returns {number|null} */
export function sum(reading, name, match = anything) {
    const samples = [...reading.series.get(name)?.values() ?? []].filter(({ labels }) => match(labels));
    return samples.length > 0 ? samples.reduce((total, { value }) => total + value, 0) : null;
}
/** When the process started, in Unix seconds. @param {Reading} reading */
export const started = (reading) => sum(reading, 'process_start_time_seconds') ?? 0;

/** What a counter has grown; after a restart it counts from zero. Without a reading before, all since the start.
 *  @param {Reading|null} before @param {Reading} after @param {string} name @param {Match} [match] */
export function increase(before, after, name, match = anything) {
    const old = before && started(before) === started(after) ? before.series.get(name) : undefined;
    let total = 0;
    for (const [key, { labels, value }] of after.series.get(name) ?? []) if (match(labels)) total += value - (old?.get(key)?.value ?? 0);
    return Math.max(total, 0);
}
/** A quantile as Prometheus' histogram_quantile estimates it, in seconds; null without a measurement.
 *  @param {Reading|null} before @param {Reading} after @param {string} name @param {number} share @param {Match} [match] */
export function quantile(before, after, name, share, match = anything) {
    const bucket = `${name}_bucket`, bounds = new Set([...after.series.get(bucket)?.values() ?? []].map(({ labels }) => labels.le));
    const grown = (le) => increase(before, after, bucket, (labels) => labels.le === le && match(labels));
    const counts = [...bounds].map((le) => [le === '+Inf' ? Infinity : Number(le), grown(le)]).sort(([a], [b]) => a - b);
    const all = counts.at(-1)?.[1] ?? 0, rank = all * share, index = counts.findIndex(([, count]) => count >= rank);
    if (all === 0) return null;
    const [lower, below] = counts[index - 1] ?? [0, 0], [upper, count] = counts[index];
    return upper === Infinity ? lower : lower + (upper - lower) * (rank - below) / Math.max(count - below, 1e-9);
}

export const figures = {
    /** The last minute, oldest first. @type {Reading[]} */ recent: [],
    /** Thinned out, the last half hour: what the alerts look at. @type {Reading[]} */ marks: [],
    /** Why the last reading failed. @type {any} */ problem: null,
    /** @type {{ status: 'ready'|'not ready'|'away', reason: string|null }|null} */ ready: null,
};
/** Names that the alerts need: the rest of a reading is dropped after a minute. @type {Set<string>} */
const needed = new Set();
/** @param {string[]} names */
export const need = (names) => names.forEach((name) => needed.add(name));
/** @param {Reading} reading @returns {Reading} */
const thinned = ({ at, series }) => ({ at, series: new Map([...series].filter(([name]) => needed.has(name))) });

/** @type {Set<() => void>} */
const watchers = new Set();
async function read() {
    const [ready, text] = await Promise.allSettled([get('ready'), get('metrics', {}, { as: 'text' })]), at = Date.now();
    figures.ready = ready.status === 'fulfilled' ? ready.value : { status: 'away', reason: ready.reason.detail };
    figures.problem = text.status === 'fulfilled' ? null : text.reason;
    if (text.status === 'fulfilled') {
        const reading = parse(text.value, at);
        figures.recent = [...figures.recent.filter((old) => at - old.at <= minute + period), reading];
        if (at - (figures.marks.at(-1)?.at ?? 0) >= sparse) figures.marks = [...figures.marks.filter((old) => at - old.at <= kept), thinned(reading)];
    }
    watchers.forEach((draw) => draw());
}
let timer = 0, isReading = false;
/** Reads again and again while somebody looks. */
async function turn() {
    clearTimeout(timer);
    if (watchers.size === 0 || document.hidden || isReading) return;
    isReading = true;
    await read().catch(() => {});
    isReading = false;
    timer = setTimeout(turn, period);
}
document.addEventListener('visibilitychange', turn);
/** Calls `draw` after each reading until the signal aborts; ends after the first one. @param {() => void} draw @param {AbortSignal} signal */
export async function watch(draw, signal) {
    if (figures.ready === null) await read();
    if (signal.aborted) return;
    watchers.add(draw);
    signal.addEventListener('abort', () => watchers.delete(draw), { once: true });
    draw();
    turn();
}
/** The last reading, and the one of a minute ago or the oldest there is. @returns {{ last: Reading|null, before: Reading|null, seconds: number }} */
export function span() {
    const last = figures.recent.at(-1) ?? null, before = figures.recent.length > 1 ? figures.recent[0] : null;
    return { last, before, seconds: last && before ? (last.at - before.at) / 1000 : 0 };
}
