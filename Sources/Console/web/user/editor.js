// The editor of one preset: what was typed, over what the server has, with its states.
import { id as part, network, request } from './api.js';
import { navigate, setTitle } from './app.js';
import { at, differences, named, numberOf, parse, same, textOf } from './documents.js';
import { holdDraft, keepDraft, losesDrafts } from './drafts.js';
import { blame, faultsOf, inputText, keptMembers, makeForm, meaning, putText, STARTERS } from './form.js';
import { pull, watch } from './reading.js';
import { changesOf, clashes, duplicate, lastAuthor, prune, refusalText, remove, rowOf, save, undoing } from './saving.js';
import { timeElement, word } from './texts.js';
import { announce, ask, button, fill, h, icon, setFieldError, toast } from './view.js';

const draftDelay = 300;

export class Editor {
    timer = 0;
    isSaving = false;
    isGone = false;
    problem = /** @type {any} */ (null);
    notes = { draft: '', elsewhere: '', storage: '' };
    heading = h('h1', { dir: 'auto' });
    times = h('p', { class: 'small muted' });
    links = h('div', { class: 'actions' });
    above = h('div', { class: 'stack' });
    starters = h('div', { class: 'tabs', role: 'group', 'aria-label': 'Begin with' });
    summary = h('div');
    kept = h('div');
    state = h('span', { class: 'chip' });
    submit = h('button', { type: 'submit', class: 'button primary' });
    discarding = button('', () => this.discard(), 'Discard');

    /** @param {import('./saving.js').Edit} edit @param {{ schema: any, owner: string, signal: AbortSignal, changed: () => void }} visit `changed`: a draft came or went */
    constructor(edit, { schema, owner, signal, changed }) {
        Object.assign(this, { edit, owner, signal, changed, path: `#/presets/${part(edit.id)}`, form: makeForm(schema, (entry) => this.typed(entry), (entry) => this.check(entry)) });
        const submitted = (event) => { event.preventDefault(); this.save(); };
        this.element = h('form', { class: 'card stack', novalidate: true, 'data-test': 'editor', 'aria-label': 'Preset', onsubmit: submitted },
            this.summary, this.starters, this.form.element, h('div', { class: 'row' }, this.submit, this.discarding, this.state));
    }
    opened(draft) {
        const { edit, signal } = this, back = h('a', { class: 'row back', href: '#/presets' }, icon('back'), 'Presets');
        this.hasRow = Boolean(rowOf(edit.id));
        this.notes.draft = draft?.at ?? '';
        if (!this.hasRow && !edit.start) this.notes.elsewhere = 'This preset was deleted. Save to bring it back with your changes, or discard them.';
        if (edit.start) [...this.form.entries.values()][0].input.dataset.first = '';
        this.draw();
        watch('configurations', () => this.look(), signal);
        network.addEventListener('online', () => { if (this.problem?.code === 'offline') { this.problem = null; this.draw(); announce('Save again.'); } }, { signal });
        document.addEventListener('visibilitychange', () => { if (document.hidden) this.keep(); }, { signal });
        const head = h('div', { class: 'stack' }, back, h('div', { class: 'page-head' }, this.heading, this.links), this.times);
        return { title: this.name(), parts: [head, this.above, this.element, this.kept], leave: () => this.keep(), hold: () => holdDraft(this.owner, edit) };
    }
    name() { return this.edit.start ? 'New preset' : this.edit.base.document.name; }

    /** Draws what changed. A text that means the same as the stored value is left while it has the focus. */
    draw() {
        if (!this.isSaving) prune(this.edit, this.form.entries);
        const { edit, form } = this, stored = edit.base.document, isNew = Boolean(edit.start), isTouched = edit.touched.size > 0;
        for (const entry of form.entries.values()) {
            const value = at(stored, entry.pointer), typed = edit.touched.get(entry.pointer);
            if (typed || document.activeElement !== entry.input || !same(meaning(entry, entry.input.value).value, value)) putText(entry.input, typed?.text ?? inputText(value, entry.schema));
        }
        const [state, text, kind] = this.isSaving ? ['saving', 'Saving…', ''] : this.problem ? ['refused', 'Not saved', 'danger']
            : isTouched ? ['draft', 'Unsaved changes', 'warn'] : isNew ? ['draft', 'Not created yet', ''] : ['saved', 'Saved', 'ok'];
        this.element.dataset.state = state;
        this.state.className = `chip ${kind}`;
        [[this.state, text], [this.heading, this.name()], [this.submit, isNew ? 'Create preset' : 'Save']].forEach(([element, content]) => fill(element, content));
        this.starters.hidden = !isNew || isTouched || this.isSaving;
        if (isNew && !isTouched) fill(this.starters, Object.keys(STARTERS).map((start) => this.starter(start)));
        this.discarding.hidden = !isTouched && !isNew;
        fill(this.times, !isNew && stored.modified_at && ['Edited ', timeElement(stored.modified_at), ', created ', timeElement(stored.created_at)]);
        if (!this.links.firstChild && rowOf(edit.id)) fill(this.links, this.actions());
        if (this.drawn !== stored) fill(this.kept, !isNew && keptMembers(stored, form, () => this.exactly()));
        this.drawn = stored;
        if (!this.signal.aborted) setTitle(this.name());
        this.drawNotes();
    }
    /** Begins the same preset with other values. @param {string} start */
    starter(start) {
        const run = async () => {
            Object.assign(this.edit, { start, base: { document: STARTERS[start], version: null } });
            history.replaceState(null, '', `${this.path}?start=${start}`);
            this.draw();
            this.starters.querySelector('[aria-pressed=true]').focus();
        };
        const made = button('', run, start === 'blank' ? 'Empty' : word(start));
        made.ariaPressed = String(start === this.edit.start);
        return made;
    }
    drawNotes() {
        const { draft, elsewhere, storage } = this.notes, isTouched = this.edit.touched.size > 0;
        fill(this.above, draft && isTouched && h('div', { class: 'note' }, 'You have unsaved changes from ', timeElement(draft), '. Save or discard them.'),
            elsewhere && h('div', { class: 'note warn', 'data-test': 'elsewhere', dir: 'auto' }, elsewhere), storage && isTouched && h('div', { class: 'note warn' }, storage),
            this.problem && h('div', { class: 'note danger', role: 'alert' }, `${this.problem.title}. ${refusalText(this.problem)}`));
    }
    actions() {
        return [h('a', { class: 'button quiet', href: `${this.path}/history` }, icon('history'), 'History'),
            button('quiet', () => this.duplicate(), icon('copy'), 'Duplicate'), button('quiet', () => this.erase(), icon('trash'), 'Delete')];
    }
    async exactly() { return parse((await request('GET', `configurations/${part(this.edit.id)}`, { as: 'text', signal: this.signal })).data); }

    /** @param {import('./form.js').Entry} entry */
    typed(entry) {
        const { touched, known, base } = this.edit, { pointer, input } = entry;
        known.add(pointer);
        touched.set(pointer, { ...touched.get(pointer) ?? { was: textOf(at(base.document, pointer)) }, text: input.value });
        setFieldError(input, null);
        fill(this.summary);
        this.problem = null;
        this.draw();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.keep(), draftDelay);
    }
    /** Nothing moves below a button that is being pressed: the press would miss it. Save tells all faults by itself. */
    check(entry) {
        const typed = this.edit.touched.get(entry.pointer);
        if (typed && !document.querySelector('button:active')) setFieldError(entry.input, meaning(entry, typed.text).error ?? null);
    }
    /** What was typed goes to the disk. */
    async keep() {
        clearTimeout(this.timer);
        const note = (text) => { this.notes.storage = text; this.drawNotes(); };
        try {
            await keepDraft(this.edit);
            this.changed();
            if (this.edit.touched.size) losesDrafts().then((isLost) => isLost && note('Safari deletes drafts after 7 days without a visit. Save soon.'));
        } catch (/** @type {any} */ error) {
            note(`This browser can't keep drafts (${error?.message}). Save before you leave.`);
        }
    }

    /** News: members that nobody touched here follow. A row that is older than what was saved here is none. */
    look() {
        const { base, id } = this.edit, row = rowOf(id), had = this.hasRow;
        if (this.isSaving || this.isGone) return;
        this.hasRow = Boolean(row);
        if (!row) return had && this.tell('deleted this preset. Save your changes to bring it back, or restore it from its history.');
        if (row.version === base.version || base.version && Number(numberOf(row.version)) < Number(numberOf(base.version))) return;
        Object.assign(this.edit, { base: row, start: null });
        this.draw();
        const moved = differences(base.document, row.document);
        if (moved.length > 0) this.tell(`changed ${named(moved)}.`);
    }
    async tell(what) {
        const contested = changesOf(this.edit, this.form.entries).filter(clashes);
        this.notes.elsewhere = `${await lastAuthor(this.edit.id)} ${what}${contested.length ? ` You changed ${named(contested)}, too: you choose when you save.` : ''}`;
        this.drawNotes();
        announce(this.notes.elsewhere);
    }

    async save() {
        const { edit, form, signal } = this, wasNew = Boolean(edit.start);
        if (this.isSaving || blame(form, this.summary, faultsOf(form, edit.touched, wasNew))) return;
        if (!wasNew && edit.touched.size === 0) return announce('Nothing has changed.');
        Object.assign(this, { isSaving: true, problem: null });
        this.draw();
        await this.keep();
        const isDone = await save(edit, form.entries).catch((problem) => this.refused(problem));
        this.isSaving = false;
        if (isDone) this.notes = { draft: '', elsewhere: '', storage: '' };
        await this.keep();
        if (signal.aborted) return toast(isDone ? `${this.name()} is saved.` : `${this.name()} is not saved. Its draft is kept.`);
        if (isDone && wasNew) history.replaceState(null, '', this.path);
        if (!isDone && !edit.start && edit.touched.size === 0 && !rowOf(edit.id)) return navigate('#/presets');
        this.draw();
        if (isDone) announce(wasNew ? 'The preset is created.' : 'Saved.');
        if (isDone) await pull().then(() => this.look(), () => {});
        this.draw();
        this.above.querySelector('.danger')?.scrollIntoView({ block: 'nearest' });  // on a phone Save is screens below
    }
    refused(problem) {
        const known = (problem.errors ?? []).map(({ pointer = '', detail }) => ({ input: this.form.entries.get(pointer.replace(/^\/configuration(?=\/)/, ''))?.input, text: `It ${detail}.` }));
        const listed = known.filter(({ input }) => input);
        if (listed.length) this.problem = { title: 'Not saved', detail: 'The server refused the marked values.' };
        else if (problem.code !== 'cancelled') this.problem = problem.title ? problem : { title: 'This page has a fault', detail: `Reload it. (${problem.message})` };
        blame(this.form, this.summary, listed);
        return false;
    }
    /** What was typed since stays. */
    async takeBack(before) {
        this.edit.touched = new Map([...before, ...this.edit.touched]);
        await this.keep();
        if (this.signal.aborted) navigate(this.path); else this.draw();
    }
    async discard() {
        const { edit } = this, before = edit.touched;
        Object.assign(this, { problem: null, notes: { draft: '', elsewhere: '', storage: '' } });
        edit.touched = new Map();
        blame(this.form, this.summary, []);
        await this.keep();
        if (before.size) toast(`Your changes to ${this.name()} are discarded.`, { action: { label: 'Undo', run: () => this.takeBack(before) } });
        if (!rowOf(edit.id)) return navigate('#/presets');
        this.draw();
        this.heading.focus({ preventScroll: true });
    }
    async duplicate() {
        const copy = await duplicate(this.edit.id);
        navigate(`#/presets/${part(copy.id)}`);
        toast(`This is the copy: ${copy.name}.`);
    }
    async erase() {
        const { edit } = this, before = edit.touched, name = this.name();
        const actions = [{ label: 'Delete preset', value: true, kind: 'danger' }];
        if (before.size && !await ask({ title: `Delete ${name}?`, body: 'Your unsaved changes are discarded, too.', actions })) return;
        this.isGone = true;
        const undo = await remove(edit.id, edit.base.version ?? '').finally(() => { this.isGone = !rowOf(edit.id); });
        if (!this.isGone) return this.look();
        edit.touched = new Map();
        await this.keep();
        navigate('#/presets');
        toast(`${name} is deleted.`, undo ? { action: { label: 'Undo', run: undoing(() => undo().then(() => this.takeBack(before))) } } : {});
    }
}
