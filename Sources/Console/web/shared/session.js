// The session of this browser. Token and key lie in IndexedDB, shared by all tabs; no variable keeps them. The key can't be exported.

/** @typedef {{ token: string, key: CryptoKey, expiresAt: string, user: { id: string, email: string }, deviceID: string, stay: boolean, attempt?: string }} Session */

const STORES = ['session', 'drafts', 'uploads'];
/** One database, channel and set of locks for each server, as two of them may share an origin behind a proxy. */
const scope = `neuroviews ${new URL('.', document.baseURI).pathname}`;
/** @type {Promise<IDBDatabase>|undefined} */
let opening;

function database() {
    return opening ??= new Promise((resolve, reject) => {
        const request = indexedDB.open(scope, 1);
        request.onupgradeneeded = () => STORES.forEach((store) => request.result.createObjectStore(store));
        request.onerror = () => { opening = undefined; reject(request.error); };
        request.onsuccess = () => {
            const close = () => { opening = undefined; };
            Object.assign(request.result, { onclose: close, onversionchange: () => { request.result.close(); close(); } });
            resolve(request.result);
        };
    });
}

/** @param {string} store @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} work @returns {Promise<any>} after the commit */
async function run(store, mode, work) {
    const transaction = (await database()).transaction(store, mode, { durability: 'strict' });
    return new Promise((resolve, reject) => {
        const request = work(transaction.objectStore(store));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = transaction.onerror = () => reject(transaction.error ?? request.error);
    });
}

/** "0" is the character after "/". @param {string} owner */
const keysOf = (owner) => IDBKeyRange.bound(`${owner}/`, `${owner}0`, false, true);
/** Values by key, on the disk. @param {'session'|'drafts'|'uploads'} store */
export const stored = (store) => ({
    /** @param {string} key */
    get: (key) => run(store, 'readonly', (values) => values.get(key)),
    /** @param {string} key @param {any} value */
    put: (key, value) => run(store, 'readwrite', (values) => values.put(value, key)),
    /** @param {string} key */
    remove: (key) => run(store, 'readwrite', (values) => values.delete(key)),
    /** Those of an account, whose keys begin with its id. @param {string} owner @returns {Promise<[string, any][]>} */
    of: async (owner) => {
        const [keys, values] = await Promise.all([run(store, 'readonly', (all) => all.getAllKeys(keysOf(owner))), run(store, 'readonly', (all) => all.getAll(keysOf(owner)))]);
        return keys.map((key, index) => [key, values[index]]);
    },
    /** @param {string} owner */
    removeOf: (owner) => run(store, 'readwrite', (values) => values.delete(keysOf(owner))),
});

const values = stored('session');
/** Messages between the tabs of this server: `{ kind: 'session' | 'rows' | 'state' | 'changed', … }`. */
export const tabs = new BroadcastChannel(scope);
/** The same event in this tab, which does not get its own messages. */
export const begun = new EventTarget();
/** Runs `work` in one tab at a time. @template T @param {string} name @param {LockOptions} options @param {() => Promise<T>} work @returns {Promise<T>} */
export const locked = (name, options, work) => navigator.locks.request(`${scope} ${name}`, options, work);

/** Whether this address may take a password: plain HTTP outside loopback has neither WebCrypto nor locks. */
export const isSecure = () => window.isSecureContext && Boolean(globalThis.crypto?.subtle && navigator.locks);

/** The features without which the page can't work, in words. */
export const isModern = () => typeof (/** @type {any} */ (JSON).rawJSON) === 'function' && typeof (/** @type {any} */ (Promise).withResolvers) === 'function';

/** This browser, as the list of devices names it. */
function browserName() {
    const agent = navigator.userAgent, found = (names) => names.find(([part]) => agent.includes(part))?.[1];
    const system = found([['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Android', 'Android'], ['Mac OS', 'Mac'], ['Windows', 'Windows'], ['Linux', 'Linux']]);
    const browser = found([['Edg/', 'Edge'], ['OPR/', 'Opera'], ['Firefox/', 'Firefox'], ['Chrome/', 'Chrome'], ['Safari/', 'Safari']]);
    return `${browser ?? 'Browser'} on ${system ?? 'a computer'}`;
}

export const session = {
    /** @returns {Promise<Session|null>} */
    current: async () => { const kept = await values.get('current'); return kept?.token ? kept : null; },
    /** Whose session it was, also after its end. @returns {Promise<{ user: { id: string, email: string }, stay: boolean }|null>} */
    last: async () => (await values.get('current')) ?? null,
    userID: async () => (await session.last())?.user.id ?? '',
    /** A random name for this browser: a device of its own at the server, with attempts of its own. @returns {Promise<string>} */
    deviceID: async () => {
        const id = (await values.get('device')) ?? crypto.randomUUID();
        await values.put('device', id);
        return id;
    },
    /** This browser's members of a login. */
    device: async () => ({ device_id: await session.deviceID(), device_name: browserName() }),
    /** What a login answered. @param {any} login @param {boolean} stay @returns {Promise<Session>} */
    from: async (login, stay) => {
        const bytes = Uint8Array.from(atob(login.signing_key), (letter) => letter.charCodeAt(0));
        const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
        return { token: login.token, key, expiresAt: login.expires_at, user: login.user, deviceID: await session.deviceID(), stay };
    },
    /** Keeps what a login answered. @param {any} login @param {boolean} stay */
    begin: async (login, stay) => {
        await values.put('current', await session.from(login, stay));
        sessionStorage.setItem(scope, 'open');
        tabs.postMessage({ kind: 'session' });
        begun.dispatchEvent(new Event('session'));
    },
    /** Changes the session that has this token, unless another tab has replaced it. @param {string} token @param {(kept: Session) => any} change */
    change: (token, change) => run('session', 'readwrite', (all) => {
        const read = all.get('current');
        read.onsuccess = () => { if (read.result?.token === token) all.put(change(read.result), 'current'); };
        return read;
    }),
    /** The session is over; whose it was stays known. @param {string} token */
    end: (token) => session.change(token, ({ user, stay, deviceID }) => ({ user, stay, deviceID })),
    /** Forgets the account: its drafts and uploads too. Another account may have left some of its own. */
    forget: async () => {
        const owner = await session.userID();
        await Promise.all([values.remove('current'), stored('drafts').removeOf(owner), stored('uploads').removeOf(owner)]);
        sessionStorage.removeItem(scope);
        tabs.postMessage({ kind: 'session' });
    },
};

/** Holds the lock `alive` while this tab lives. Returns true if the browser was closed since and "Stay signed in" was off. */
export async function isAbandoned() {
    const { held = [] } = await navigator.locks.query();
    const others = held.some((lock) => lock.name === `${scope} alive`), marked = sessionStorage.getItem(scope) === 'open';
    locked('alive', { mode: 'shared' }, () => new Promise(() => {}));
    const kept = await session.current();
    if (kept) sessionStorage.setItem(scope, 'open');
    return Boolean(kept && !kept.stay && !others && !marked);
}

/** Asks the browser to keep drafts: elsewhere Safari deletes them after 7 days without a visit. @returns {Promise<boolean>} */
export const persist = async () => Boolean(await navigator.storage?.persist?.().catch(() => false));

const text = new TextEncoder();
/** @param {ArrayBuffer} bytes */
export const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

/**
 * The fields of version 3: HMAC-SHA-256 over eleven lines.
 * @param {CryptoKey} key @param {string} method @param {string} url @param {Record<string, string>} fields @param {Uint8Array|null} body @param {number} seconds the server's clock
 */
export async function signature(key, method, url, fields, body, seconds) {
    const lower = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value.trim()]));
    const names = ['content-type', 'content-encoding', 'if-match', 'if-none-match', 'idempotency-key', 'prefer'];
    const nonce = crypto.randomUUID(), digest = await crypto.subtle.digest('SHA-256', /** @type {any} */ (body ?? new Uint8Array()));
    const lines = [method, url, seconds, nonce, ...names.map((name) => lower[name] ?? ''), base64(digest)];
    const signed = base64(await crypto.subtle.sign('HMAC', key, text.encode(lines.join('\n'))));
    return { 'X-Timestamp': String(seconds), 'X-Nonce': nonce, 'X-Signature-Version': '3', 'X-Signature': signed };
}
