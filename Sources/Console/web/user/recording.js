// One recording: player, download, what was stated and measured, the receipt, the preset that made it.
import { download, get, id as part, request } from './api.js';
import { navigate } from './app.js';
import { numberOf, parse, shown } from './documents.js';
import { changed, presets, watch } from './reading.js';
import { bytes, dateTime, duration, label, now, valueText, word } from './texts.js';
import { add, forget, pickFiles } from './uploads.js';
import { announce, ask, button, emptyState, fill, h, icon, toast } from './view.js';

const CODECS = { h264: 'avc1.640028', hevc: 'hvc1.1.6.L150.B0', av1: 'av01.0.08M.10', prores: 'ap4h', aac: 'mp4a.40.2', mp3: 'mp3', flac: 'flac', alac: 'alac' };
const FORMATS = { 'H.264': 'h264', 'H.265': 'hevc', 'ProRes 422': 'prores', 'ProRes 4444': 'prores', AV1: 'av1' };
const SIZES = { 'HD 720p': [1280, 720], 'Full HD 1080p': [1920, 1080], '4K UHD': [3840, 2160], '4K Cinema': [4096, 2160], '8K UHD': [7680, 4320] };
const FAILURES = {
    'wrong size': 'The stored file has another size than was announced.', 'wrong digest': 'The stored file differs from the one that was sent.',
    'lost object': 'The stored file is gone.', 'not verified': 'The server could not read the stored file to its end.',
};
const STATED = ['duration', 'file_size', 'video_format', 'resolution', 'frame_rate', 'exposure_settings'];
/** Members with a place of their own, or none. All others are listed after them. */
const PLACED = new Set([...STATED, 'id', 'filename', 'created_at', 'creation_date', 'processing_status', 'failure', 'device_id', 'device_model', 'app_version', 'camera_position',
    'custom_tags', 'tags', 'location', 'configuration_id', 'configuration_version', 'content_type', 'sha256', 'uploaded_at', 'probe', 'receipt', 'encryption', 'sealed_metadata', 'thumbnail_url',
    'version', 'urls', 'urls_expire_at']);
const pollAfter = 5_000;

/** @param {import('./app.js').Visit} visit @returns {Promise<import('./app.js').Page>} */
export async function show({ params, signal }) {
    const path = `recordings/${part(params.id)}`, facts = h('div', { class: 'columns' }), notes = h('div', { class: 'notes' });
    let recording = /** @type {any} */ (null);
    const read = async () => recording = await get(path, { query: { urls: true }, signal });
    const [devices] = await Promise.all([get('devices', { signal }).then((answer) => answer.devices, () => []), read()]);
    const screen = player(recording, read), preset = presetSection(recording, signal);
    const draw = () => {
        fill(notes, verdict(recording));
        fill(facts, details(recording, devices), h('div', { class: 'stack' }, measures(recording), receipt(recording), preset));
    };
    const back = h('a', { class: 'row back', href: '#/recordings' }, icon('back'), 'Recordings');
    const content = h('div', { class: 'page' }, h('div', { class: 'stack' }, back, head(() => recording, read, () => look())), notes, screen.box, facts);
    const gone = () => fill(content, h('h1', { dir: 'auto' }, recording.filename), emptyState({ title: 'This recording was deleted',
        actions: [h('a', { class: 'button', href: '#/recordings' }, 'All recordings')] }));
    const refresh = async () => {
        const before = recording.version;
        await read();
        if (recording.version !== before) draw();
        screen.heed(recording);
    };
    const look = () => refresh().catch((problem) => { if (problem.status === 404) gone(); });  // the frame tells of a lost connection
    draw();
    watch('recordings', look, signal);
    const timer = setInterval(() => { if (!document.hidden && ['pending', 'processing'].includes(recording.processing_status)) look(); }, pollAfter);
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    return { title: recording.filename, content };
}
const isOver = ({ urls_expire_at: end }) => Date.parse(end) - now().getTime() < 5_000;

/** @param {() => any} current @param {() => Promise<any>} read @param {() => Promise<any>} look */
function head(current, read, look) {
    const save = async () => {
        const { urls, filename } = isOver(current()) ? await read() : current();
        download(urls.content, filename);
    };
    const erase = async () => {
        const { id, filename, version } = current();
        const body = 'The recording and its file are deleted from the server and from the lists of all devices. This can\'t be undone.';
        if (!await ask({ title: `Delete ${filename}?`, body, actions: [{ label: 'Delete recording', value: true, kind: 'danger' }] })) return;
        await request('DELETE', `recordings/${part(id)}`, { ifMatch: version }).catch(async (problem) => {
            if (problem.status !== 412) throw problem;
            await look();
            throw Object.assign(problem, { detail: 'Another device has changed this recording. Look at it, then delete it again.' });
        });
        forget(id);
        navigate('#/recordings');
        changed('recordings');
        toast(`${filename} is deleted.`);
    };
    return h('div', { class: 'page-head' }, h('h1', { dir: 'auto' }, current().filename), h('div', { class: 'actions' },
        current().urls?.content && button('', save, icon('download'), current().encryption ? 'Download sealed file' : 'Download'), button('danger', erase, icon('trash'), 'Delete')));
}
/** Where it stands, if it is not simply there. @param {any} recording */
function verdict({ id, processing_status: state, failure, encryption }) {
    const again = async () => {
        const files = await pickFiles({ multiple: false });
        if (files.length === 0) return;
        await add(files, { id, metadata: await get(`recordings/${part(id)}`, { as: 'text' }) });
        navigate('#/recordings');
    };
    if (state === 'failed') {
        // A page has no key: it would send the file in the clear.
        const remedy = encryption ? 'The app that sealed it can upload it again.' : 'Upload it again: name, settings and labels stay.';
        const why = `${FAILURES[failure] ?? 'The file could not be verified.'} ${remedy}`;
        return h('div', { class: 'note danger row' }, icon('warning'), h('span', { class: 'grow' }, why), !encryption && button('', again, 'Upload the file again'));
    }
    if (state !== 'ready') return h('div', { class: 'note', role: 'status' }, 'The server verifies the file. Keep your copy until the receipt is here.');
    return encryption && h('div', { class: 'note' }, 'This recording is sealed by the key ', h('span', { class: 'mono', dir: 'auto' }, encryption.key_id),
        '. The server and this page can\'t open it; an app with that key can.');
}

/** Plays the file, else its preview, else tells why not. Its addresses are asked for again when they are over. @param {any} recording @param {() => Promise<any>} read */
function player(recording, read) {
    const box = h('div', { class: 'player' }), kind = recording.content_type.split('/')[0];
    let current = recording;
    const lost = (index, place) => fill(box, h('div', { class: 'no-player' }, h('p', null, 'The connection was lost.'),
        button('', async () => { current = await read(); play(index, place); }, 'Play on')));
    const play = (index, at = 0) => {
        const url = sources(current)[index];
        if (!url) return fill(box, reason(current));
        const failed = async () => {
            // What had played can be played: then its address is over, or the network has gone.
            const place = media.currentTime || at, again = isOver(current) || place > at ? index : index + 1;
            await read().then((fresh) => { current = fresh; play(again, place); }, () => lost(again, place));
        };
        const seek = () => { if (at > 0) media.currentTime = at; };
        const media = kind === 'image' ? h('img', { src: url, alt: current.filename, onerror: failed })
            : h(kind, { src: url, controls: true, playsinline: true, preload: 'metadata', 'aria-label': current.filename,
                poster: kind === 'video' && current.thumbnail_url, onerror: failed, onloadedmetadata: seek });
        return fill(box, media);
    };
    play(0);
    /** Something that plays is left alone. */
    const heed = (fresh) => {
        current = fresh;
        if (!box.querySelector('img[alt]:not([alt=""]), video, audio')) play(0);
    };
    return { box, heed };
}
/** Addresses to try, the best first. */
function sources({ processing_status: state, encryption, content_type: type, thumbnail_url: thumbnail, probe, urls = {} }) {
    const kind = type.split('/')[0];
    if (encryption || state === 'failed' || !['video', 'audio', 'image'].includes(kind)) return [];
    if (kind === 'image') return [type !== 'image/x-adobe-dng' && urls.content, thumbnail].filter(Boolean);
    const used = /mp4|m4[av]|quicktime/.test(type) ? [probe?.video_codec, probe?.audio_codec].filter(Boolean) : [];
    const codecs = used.map((codec) => CODECS[codec] ?? 'unknown');
    const canPlay = /** @type {any} */ (document.createElement(kind)).canPlayType(codecs.length > 0 ? `${type}; codecs="${codecs.join(', ')}"` : type);
    return [canPlay && urls.content, urls.preview].filter(Boolean);
}
function reason({ processing_status: state, encryption, content_type: type, video_format: format, thumbnail_url: thumbnail }) {
    const film = `This browser can't play ${format ?? 'this file'}${type === 'video/quicktime' ? ' in a QuickTime file' : ''}, and the server has no preview. `
        + 'Download it to play it.';
    const text = state === 'failed' ? 'There is no file to play.' : encryption ? 'Sealed: only an app with the key can show it.'
        : type.startsWith('image/') ? 'This browser can\'t show this type of picture. Download it to see it.' : film;
    const image = thumbnail && state === 'ready' && !encryption && h('img', { src: thumbnail, alt: '', onerror: ({ target }) => target.remove() });
    return h('div', { class: 'no-player' }, image, h('p', null, text));
}

const pair = (name, ...value) => h('div', null, h('dt', { dir: 'auto' }, name), h('dd', { dir: 'auto' }, ...value));
const section = (title, ...content) => h('section', { class: 'card stack' }, h('h2', null, title), ...content);
const isThere = (value) => ![null, undefined, ''].includes(value);
/** What the app stated. @param {any} recording @param {any[]} devices */
function details(recording, devices) {
    const { device_id: owner, location: place, tags, custom_tags: custom, camera_position: position } = recording;
    const device = devices.find(({ id }) => id === owner);
    const camera = String({ 0: 'unspecified', 1: 'back', 2: 'front' }[position] ?? position), height = typeof place?.altitude === 'number' ? `, ${place.altitude} m` : '';
    const rows = [['Recorded', dateTime(recording.created_at)], ['Uploaded', recording.uploaded_at && dateTime(recording.uploaded_at)], ['Device', device?.name ?? device?.model ?? (owner && 'A device without a name')],
        [label('device_model'), recording.device_model], [label('app_version'), recording.app_version], [label('camera_position'), camera !== 'unspecified' && word(camera)],
        ['File type', recording.content_type], ...STATED.map((name) => [label(name), isThere(recording[name]) && valueText(name, recording[name])]),
        ['Place', place && `${place.latitude}°, ${place.longitude}°${height}`], ...Object.entries(custom ?? {}),
        ...Object.keys(recording).filter((name) => !PLACED.has(name)).map((name) => [label(name), valueText(name, recording[name])])];
    const names = (tags ?? []).map((tag) => typeof tag === 'string' ? tag : tag.name);
    return section('Details', h('dl', { class: 'facts' }, rows.filter(([, value]) => value).map(([name, value]) => pair(name, value))),
        names.length > 0 && h('ul', { class: 'row', 'aria-label': 'Labels' }, names.map((name) => h('li', { class: 'chip', dir: 'auto' }, name))));
}
const differs = (stated, measured, share = 0.01) => typeof stated === 'number' && typeof measured === 'number'
    && Math.abs(stated - measured) > Math.max(stated, measured) * share;
/** What the server read in the file, and whether it differs from what was stated. */
function measures({ processing_status: state, encryption, content_type: type, probe, duration: length, file_size: size, frame_rate: rate, resolution, video_format: format }) {
    const text = encryption || !/^(video|audio)/.test(type) ? 'This file is not measured.'
        : 'The server could not measure this file: it may be damaged, or this server has no ffmpeg. Play it before you delete your copy.';
    if (!probe) return state === 'ready' && section('Measured in the file', h('p', { class: 'muted' }, text));
    const { width, height, video_codec: codec } = probe, expected = SIZES[resolution], long = Math.max(width, height), short = Math.min(width, height);
    const rows = [['Length', isThere(probe.duration) && duration(probe.duration), differs(length, probe.duration)],
        ['Size', bytes(probe.file_size), differs(size, probe.file_size, 0)],
        ['Picture', width && `${width} × ${height}`, width && expected && (expected[0] !== long || expected[1] !== short)],
        ['Frame rate', probe.frame_rate && valueText('frame_rate', Number(probe.frame_rate.toFixed(2))), differs(rate, probe.frame_rate)],
        ['Video codec', codec, codec && FORMATS[format] && FORMATS[format] !== codec], ['Sound codec', probe.audio_codec], ['Container', probe.container]];
    const other = () => h('span', { class: 'chip warn' }, 'Differs from what was stated');
    const pairs = rows.filter(([, value]) => value).map(([name, value, isOther]) => pair(name, value, isOther && [' ', other()]));
    return section('Measured in the file', h('dl', { class: 'facts' }, pairs));
}
function receipt({ receipt: given }) {
    if (!given) return section('Receipt', h('p', { class: 'muted' }, 'None yet: the server has not read the whole file back. Keep your copy.'));
    const copy = () => navigator.clipboard.writeText(given.sha256).then(() => announce('The digest is copied.'), () => toast('The browser did not allow it. Select the digest.'));
    return section('Receipt', h('p', null, `The server read all ${bytes(given.size)} back from its store on ${dateTime(given.verified_at)}.`),
        h('dl', { class: 'facts' }, pair('SHA-256', h('span', { class: 'mono' }, given.sha256))), h('div', { class: 'row' }, button('', copy, icon('copy'), 'Copy digest')));
}
/** The settings that made it: exactly that version, whatever became of the preset. @param {any} recording @param {AbortSignal} signal */
function presetSection({ configuration_id: preset, configuration_version: version, encryption }, signal) {
    const none = encryption ? 'If the app named a preset, that is sealed, too.' : 'The app named no preset for this recording.';
    const box = section('Preset', h('p', { class: 'muted' }, preset ? 'Loading' : none));
    const told = (...content) => fill(box, h('h2', null, 'Preset'), ...content);
    const read = async () => {
        const path = `configurations/${part(preset)}/versions/${numberOf(version ?? '')}`;
        const document = version ? await get(path, { as: 'text', signal }).then(parse, (problem) => { if ([404, 410].includes(problem.status)) return null; throw problem; }) : null;
        await presets.ready().catch(() => {});
        const row = presets.rows.get(preset.toLowerCase()), name = document?.name ?? row?.document.name ?? 'A preset that is not here';
        const text = !document ? 'The exact version is not kept any more.' : !row ? 'The preset was deleted since. These were its settings:'
            : row.version === version ? 'The preset has not changed since.' : 'The preset has changed since. These were its settings:';
        const members = Object.entries(document ?? {}).filter(([member]) => !['id', 'name', 'created_at', 'modified_at'].includes(member));
        const title = row ? h('a', { href: `#/presets/${part(row.id)}`, dir: 'auto' }, name) : h('strong', { dir: 'auto' }, name);
        told(h('p', null, title), h('p', { class: 'muted' }, text),
            members.length > 0 && h('dl', { class: 'facts' }, members.map(([member, value]) => pair(label(member), shown(member, value)))),
            row && h('div', { class: 'row' }, h('a', { class: 'button', href: `#/presets/${part(row.id)}/history?version=${part(version ?? '')}` }, icon('history'), 'History of the preset')));
    };
    const attempt = () => read().catch((problem) => {
        if (problem.code === 'cancelled') return;
        told(h('p', { class: 'muted' }, 'The preset could not be read.'), h('div', { class: 'row' }, button('', attempt, 'Try again')));
    });
    if (preset) attempt();
    return box;
}
