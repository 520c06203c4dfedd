import { editJson, formatPath, type JsonEdit, type JsonProblem, toProblem } from '../../clients/edit-json.ts';
import type { HookList, HookProgram } from '../../clients/hook-places.ts';
import { type JsonNode, scanJson } from '../../clients/scan-json.ts';

/** The member with the lists of hooks, one for each event. */
const HOOKS = 'hooks';

/**
 * The state of our hook in a file. `current`: it has just the entries that we write. `other`: it has entries of a clawai, but not these, or not
 * for each event. `none`: it has none.
 */
export type HookState = 'current' | 'other' | 'none';

export type HookReading =
  | { readonly ok: true; readonly state: HookState; /** The path that switches hooks off. */ readonly off: string | undefined }
  | { readonly ok: false; readonly problem: JsonProblem };

export type HookEdit = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: JsonProblem };

/** Matches what stands before the words of a command: the variables that it removes and sets. */
const VARIABLES = /^(?:unset [\w ]+; )?(?:[A-Z_]+=(?:'(?:[^']|'\\'')*'|[^\s';&|]*) )*/;

/** Tells whether a command is one that a clawai has written for this client's hook, whatever its version and its place. */
export function isOwnCommand(command: string, client: string): boolean {
  const words = command.replace(VARIABLES, '');
  const found = new RegExp(String.raw`^([^;&|]*\bclawai(?:\.mjs|@[\w.+-]+)?)'? '?hook'? '?${client}'?(?:[ ;]|$)`).exec(words);
  return found !== null;
}

/** Tells whether a text is a file that a clawai has written. */
export function isOwnFile(text: string): boolean {
  return /^(?:#!\/bin\/sh\n# |\/\/ )Written by clawai;/.test(text);
}

interface About {
  readonly client: string;
  readonly form: HookList;
}

/** Reads what a JSON file says of our hook. */
export function readHook(text: string, { client, form }: About, program: HookProgram): HookReading {
  const scan = scanText(text, form);
  if (!scan.ok) return scan;
  const { root } = scan;
  const wanted = JSON.stringify(form.entry(program));
  const states = form.events.map((event): HookState => stateIn(text, nodeAt(root, [HOOKS, event]), { client, wanted }));
  const first = states.every((state) => state === states[0]) ? states[0] : 'other';
  const off = form.switches.find(({ path, when }) => {
    const node = nodeAt(root, path);
    if (typeof when === 'string') return node?.items.some(({ kind, value }) => kind === 'string' && value === when) === true;
    return node?.kind === 'boolean' && node.value === String(when);
  });
  return { ok: true, state: first ?? 'none', off: off && formatPath(off.path) };
}

/** Adds our hook, in place of what a clawai wrote before. All other bytes stay. */
export function addHook(text: string, about: About, program: HookProgram): HookEdit {
  const { client, form } = about;
  const scan = scanText(text, form);
  if (!scan.ok) return scan;
  const { root } = scan;
  const entry = form.entry(program);
  if (nodeAt(root, [HOOKS]) === undefined) {
    const lists = Object.fromEntries(form.events.map((event) => [event, [entry]]));
    return edit(text, form, [{ path: [HOOKS], to: { json: lists } }]);
  }
  const edits = form.events.flatMap((event): JsonEdit[] => {
    const path = [HOOKS, event];
    const list = nodeAt(root, path);
    if (list === undefined) return [{ path, to: { json: [entry] } }];
    if (stateIn(text, list, { client, wanted: JSON.stringify(entry) }) === 'current') return [];
    const kept = withoutOwn(text, list, client) ?? text.slice(list.start, list.end);
    return [{ path, to: { raw: withItem(kept, JSON.stringify(entry)) } }];
  });
  return editEach(text, form, edits);
}

/** Removes all entries of a clawai, and the lists and objects that are empty then. */
export function removeHook(text: string, { client, form }: About): HookEdit {
  const scan = scanText(text, form);
  if (!scan.ok) return scan;
  const { root } = scan;
  const hooks = nodeAt(root, [HOOKS]);
  const emptied: string[] = [];
  const edits = form.events.flatMap((event): JsonEdit[] => {
    const list = nodeAt(root, [HOOKS, event]);
    const kept = list && withoutOwn(text, list, client);
    if (list === undefined || kept === undefined) return [];
    if (list.items.some((item) => ownPart(item, client) !== 'all')) return [{ path: [HOOKS, event], to: { raw: kept } }];
    emptied.push(event);
    return [{ path: [HOOKS, event], to: { absent: true } }];
  });
  const isEmpty = hooks !== undefined && emptied.length > 0 && hooks.members.every(({ key }) => emptied.includes(key));
  if (isEmpty) return edit(text, form, [{ path: [HOOKS], to: { absent: true } }]);
  return editEach(text, form, edits);
}

function scanText(
  text: string,
  { syntax, events }: HookList,
): { readonly ok: true; readonly root: JsonNode } | { readonly ok: false; readonly problem: JsonProblem } {
  const scan = scanJson(text, syntax, [[]]);
  if (!scan.ok) return { ok: false, problem: toProblem(text, scan.offset, scan.message) };
  const { root } = scan;
  if (root?.kind !== 'object') return { ok: false, problem: toProblem(text, root?.start ?? 0, 'the file holds no object') };
  // Some readers take the first of two equal keys, and some the last.
  if (root.duplicate !== undefined)
    return { ok: false, problem: toProblem(text, root.start, `the key ${JSON.stringify(root.duplicate)} appears twice`) };
  const wrong = [[HOOKS], ...events.map((event) => [HOOKS, event])].find((path) => {
    const node = nodeAt(root, path);
    return node !== undefined && node.kind !== (path.length === 1 ? 'object' : 'array');
  });
  if (wrong === undefined) return { ok: true, root };
  const kind = wrong.length === 1 ? 'object' : 'list';
  return { ok: false, problem: toProblem(text, nodeAt(root, wrong)?.start ?? 0, `${formatPath(wrong)} is no ${kind}`) };
}

function nodeAt(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((node, key) => node?.members.find((member) => member.key === key)?.node, root);
}

/** The hooks in an entry: itself, or those of its group. */
function hooksIn(entry: JsonNode): readonly JsonNode[] {
  return nodeAt(entry, [HOOKS])?.items ?? [entry];
}

function isOwn(hook: JsonNode, client: string): boolean {
  return ['command', 'bash'].some((key) => {
    const node = nodeAt(hook, [key]);
    return node?.kind === 'string' && isOwnCommand(node.value, client);
  });
}

/** Somebody may have added a hook to our group. */
function ownPart(entry: JsonNode, client: string): 'all' | 'some' | 'none' {
  const hooks = hooksIn(entry);
  const own = hooks.filter((hook) => isOwn(hook, client)).length;
  return own === 0 ? 'none' : own === hooks.length ? 'all' : 'some';
}

/** A list without our hooks; undefined if it has none. */
function withoutOwn(text: string, list: JsonNode, client: string): string | undefined {
  const parts = list.items.map((item) => ownPart(item, client));
  if (parts.every((part) => part === 'none')) return undefined;
  return withoutItems(text, list, (item) => {
    const part = ownPart(item, client);
    if (part === 'all') return undefined;
    const inner = nodeAt(item, [HOOKS]);
    if (part === 'none' || inner === undefined) return text.slice(item.start, item.end);
    const left = withoutItems(text, inner, (hook) => (isOwn(hook, client) ? undefined : text.slice(hook.start, hook.end)));
    return text.slice(item.start, inner.start) + left + text.slice(inner.end, item.end);
  });
}

function stateIn(
  text: string,
  list: JsonNode | undefined,
  { client, wanted }: { readonly client: string; readonly wanted: string },
): HookState {
  const own = list?.items.filter((item) => ownPart(item, client) !== 'none') ?? [];
  const [only] = own;
  if (only === undefined) return 'none';
  return own.length === 1 && isSame(text.slice(only.start, only.end), wanted) ? 'current' : 'other';
}

function isSame(text: string, wanted: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === wanted;
  } catch {
    // Somebody has put a comment in it.
    return false;
  }
}

/** Neighbours are added and removed one by one: they may share a comma. */
function editEach(text: string, form: HookList, edits: readonly JsonEdit[]): HookEdit {
  return edits.reduce<HookEdit>((before, one) => (before.ok ? edit(before.text, form, [one]) : before), { ok: true, text });
}

function edit(text: string, { syntax }: HookList, edits: readonly JsonEdit[]): HookEdit {
  const result = editJson(text, syntax, edits);
  return result.ok ? { ok: true, text: result.text } : result;
}

/** A list with one more item at its end, on a line of its own where the others are. */
function withItem(list: string, item: string): string {
  const end = list.length - 1;
  const inside = list.slice(1, end);
  if (inside.trim() === '') return `[${item}${inside}]`;
  const [gap = ''] = /^\s*/.exec(inside) ?? [];
  const [rest = ''] = /\s*$/.exec(inside) ?? [];
  const before = inside.slice(0, inside.length - rest.length);
  return `[${before}${before.endsWith(',') ? '' : ','}${gap === '' ? ' ' : gap}${item}${rest}]`;
}

/** A list with these of its items alone, each with what stands before it. @param textOf the text of an item; undefined leaves it out */
function withoutItems(text: string, list: JsonNode, textOf: (item: JsonNode) => string | undefined): string {
  let isFirst = true;
  const parts = list.items.map((item, i) => {
    const own = textOf(item);
    if (own === undefined) return '';
    const before = text.slice(i === 0 ? list.start + 1 : (list.items[i - 1]?.end ?? 0), item.start);
    const gap = isFirst ? before.replace(/^\s*,/, '') : before;
    isFirst = false;
    return gap + own;
  });
  return `[${parts.join('')}${text.slice(list.items.at(-1)?.end ?? 0, list.end - 1)}]`;
}
