// What is wrong with the server, by the rules of deploy/monitoring/alert-rules.yml: the nine critical ones, and those for a disk that is nearly full
// and for files that no process checks.
import { figures, increase, need, quantile, started, sum } from './metrics.js';
import { bytes, plural } from './texts.js';

/** @typedef {import('./metrics.js').Reading} Reading
 *  @typedef {{ before: Reading|null, last: Reading, ready: any }} Window   `before` is null if the process has started in the window
 *  @typedef {{ alert: string, threshold?: number, window_s?: number, least?: number, share?: number, isWarning?: boolean, text: (value: any) => string, remedy: string }} Alert */

const REQUESTS = 'neuroviews_http_requests_total', WAITS = 'neuroviews_database_wait_seconds';
const DATABASE = 'neuroviews_database_errors_total', STORE = 'neuroviews_storage_errors_total';
need([REQUESTS, `${WAITS}_bucket`, DATABASE, STORE, 'process_start_time_seconds']);
/** 501 and 505 are the client's fault. @param {Record<string, string>} labels */
export const isFailure = ({ status }) => status.startsWith('5') && status !== '501' && status !== '505';
const isBroken = (labels) => labels.kind === 'refused' && ['53', '58', 'XX'].includes(labels.class);
const isFull = ({ kind }) => kind === 'full', isStoreFault = ({ kind }) => ['failed', 'refused', 'unavailable'].includes(kind);

/** A test compares thresholds and windows with the rules. @type {Alert[]} */
export const ALERTS = [
    { alert: 'NeuroViewsDown', text: (reason) => `The server is away: ${reason}.`,
        remedy: 'Look at "systemctl status neuroviews-server" and the last lines of its log, then run the doctor below.' },
    { alert: 'NeuroViewsNotScraped', text: (reason) => `The server is there, but its figures can't be read: ${reason}.`,
        remedy: 'See which address admin_listen names, and whether this machine may use it.' },
    { alert: 'NeuroViewsNotReady', text: (reason) => `The server can't serve requests: ${reason}.`,
        remedy: 'See whether PostgreSQL runs, accepts the server\'s logins, and has connections and disk space left.' },
    { alert: 'NeuroViewsRestarting', threshold: 3, window_s: 1800, text: (count) => `The server started ${count} times in half an hour.`,
        remedy: 'The last lines of the log before each start have the reason: "journalctl -u neuroviews-server". Kills by the kernel are in "journalctl -k".' },
    { alert: 'NeuroViewsErrors', threshold: 0.02, window_s: 300, least: 10, text: (share) => `${(share * 100).toFixed(1)} % of the requests fail.`,
        remedy: 'See "Requests" for the routes. 503: the database, the store or memory is short; 507: the disk is full; 500: the log has a line of level "error".' },
    { alert: 'NeuroViewsDatabasePoolExhausted', threshold: 0.5, window_s: 300, share: 0.95, text: (wait) => `Requests wait ${wait.toFixed(1)} s for a connection to the database.`,
        remedy: 'Find slow statements in pg_stat_activity. If there are none, raise database_connections_max, or add a server.' },
    { alert: 'NeuroViewsDatabaseFails', threshold: 0, window_s: 900, text: (count) => `PostgreSQL reports that it is out of resources or damaged: ${plural(count, 'error')}.`,
        remedy: 'PostgreSQL\'s log names the reason: a full disk, memory, connections, or damaged data. Make a backup before you repair anything.' },
    { alert: 'NeuroViewsUploadsRefused', threshold: 0, window_s: 600, text: (count) => `The disk is full up to its reserve: ${plural(count, 'upload')} refused.`,
        remedy: 'Make room on the volume of data/objects, or enlarge it. Presets still sync; refused uploads are tried again.' },
    { alert: 'NeuroViewsStoreFails', threshold: 3, window_s: 600, text: (count) => `The store of recordings does not work: ${plural(count, 'error')}.`,
        remedy: 'See whether the volume is mounted or the S3 service answers, and whether the key and the bucket\'s rights are right. Then run the doctor below.' },
    { alert: 'NeuroViewsDiskLow', threshold: 5 * 1024 * 1024 * 1024, isWarning: true, text: (free) => `The disk of recordings has only ${bytes(free)} left.`,
        remedy: 'Make room on the volume of data/objects, or enlarge it. Uploads are refused below 1 GiB, or a tenth of a small volume.' },
    { alert: 'NeuroViewsJobsBehind', isWarning: true, text: (jobs) => `No process checks uploaded files. ${plural(jobs, 'job')} in the queue.`,
        remedy: 'Start neuroviews-server media, or raise media_jobs above 0 and restart the server.' },
];

/** What each rule compares; null if it is not met. @type {Record<string, (rule: any, window: Window) => any>} */
const MEASURES = {
    NeuroViewsRestarting: ({ threshold }) => above(starts() - 1, threshold, (changes) => changes + 1),
    NeuroViewsErrors: ({ threshold, least }, { before, last }) => {
        const failed = increase(before, last, REQUESTS, isFailure), all = increase(before, last, REQUESTS);
        return failed > least ? above(failed / all, threshold) : null;
    },
    NeuroViewsDatabasePoolExhausted: ({ threshold, share }, { before, last }) =>
        above(Math.max(...['read', 'write'].map((pool) => quantile(before, last, WAITS, share, (labels) => labels.pool === pool) ?? 0)), threshold),
    NeuroViewsDatabaseFails: ({ threshold }, { before, last }) => above(increase(before, last, DATABASE, isBroken), threshold),
    NeuroViewsUploadsRefused: ({ threshold }, { before, last }) => above(increase(before, last, STORE, isFull), threshold),
    NeuroViewsStoreFails: ({ threshold }, { before, last }) => above(increase(before, last, STORE, isStoreFault), threshold),
    NeuroViewsDiskLow: ({ threshold }, { last }) => {
        const free = sum(last, 'neuroviews_storage_free_bytes');
        return free !== null && free < threshold ? free : null;
    },
    NeuroViewsJobsBehind: (_, { last }) => sum(last, 'neuroviews_job_workers') === 0 ? sum(last, 'neuroviews_jobs', ({ state }) => state === 'waiting') || null : null,
};
const above = (value, threshold, shown = (same) => same) => value > threshold ? shown(value) : null;
/** Starts of the process in the last half hour that this page has seen. */
const starts = () => new Set(figures.marks.map(started)).size;

/** A reason in the middle of a sentence. @param {string} text */
const bare = (text) => text.replace(/\.$/, '');
/** When this page saw something wrong for the last time, in milliseconds; 0: never. */
export let troubledAt = 0;
/** What is wrong now, the worst first. @returns {{ alert: string, isWarning: boolean, text: string, remedy: string }[]} */
export function troubles() {
    if (figures.problem?.code === 'away') return unseen(figures.problem);
    const found = met();
    if (found.length > 0) troubledAt = Date.now();
    return found;
}
/** Without the console's process nothing is known of the server. */
const unseen = ({ title, detail }) => [{ isWarning: false, alert: 'ConsoleAway', text: `${title}.`, remedy: detail }];
/** The rules that are met. */
function met() {
    const { ready, problem } = figures, last = figures.recent.at(-1), found = new Map();
    if (ready?.status === 'away') found.set('NeuroViewsDown', bare(ready.reason ?? 'its admin listener does not answer'));
    else if (ready && ready.status !== 'ready') found.set('NeuroViewsNotReady', bare(ready.reason ?? 'its database does not answer'));
    else if (problem) found.set('NeuroViewsNotScraped', bare(problem.detail));
    if (last && !problem) for (const rule of ALERTS) {
        const value = MEASURES[rule.alert]?.(rule, windowOf(last, rule.window_s ?? 0));
        if (value !== null && value !== undefined) found.set(rule.alert, value);
    }
    return ALERTS.filter(({ alert }) => found.has(alert)).map(({ alert, isWarning = false, text, remedy }) => ({ alert, isWarning, text: text(found.get(alert)), remedy }));
}
/** @param {Reading} last @param {number} seconds @returns {any} */
function windowOf(last, seconds) {
    const isYoung = (sum(last, 'neuroviews_uptime_seconds') ?? 0) <= seconds;
    return { before: isYoung ? null : figures.marks.find(({ at }) => at >= last.at - seconds * 1000) ?? last, last };
}
/** Faults since the process started, which may have been before this page was opened. @returns {string[]} */
export function earlier() {
    const last = figures.recent.at(-1);
    if (!last || figures.problem) return [];
    /** @type {[number, string, string][]} */
    const counts = [[increase(null, last, STORE, isFull), 'upload', ' refused for lack of space'], [increase(null, last, STORE, isStoreFault), 'error', ' of the store'],
        [increase(null, last, DATABASE, isBroken), 'error', ' of PostgreSQL\'s resources'], [increase(null, last, REQUESTS, isFailure), 'failed request', '']];
    return counts.filter(([count]) => count > 0).map(([count, noun, rest]) => `${plural(count, noun)}${rest}`);
}
