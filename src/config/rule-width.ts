import { type Call, SUBJECT_METHODS } from '../core/call.ts';
import { classify, classifyArguments } from '../core/classify/classify.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../core/json.ts';
import { TEXTS } from '../core/classify/parameter-words.ts';
import { splitName } from '../core/classify/split-name.ts';
import { isPathLike } from '../core/paths/path-forms.ts';

/**
 * The calls that a remembered rule is about. `exact`: those with the same arguments. `folder`: those of the same tool on files in the same
 * folders, or on resources in the same folder. `any`: all of the same tool or prompt.
 */
export type RuleWidth = 'exact' | 'folder' | 'any';

/** The conditions of a wider rule, besides its server, method and name. */
export interface WiderFields {
  /** Globs for arguments by their names; undefined if any will do. */
  readonly args: JsonObject | undefined;
  /** A glob for the resource's URI. */
  readonly resource: string | undefined;
}

/** Names that an `args` table reads as one segment of a path, and as nothing else. */
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/;
const OPERATORS: ReadonlySet<string> = new Set(['not', 'regex', 'equals', 'gt', 'gte', 'lt', 'lte', 'exists']);

/** A path or URI that is written in the shortest way and has no wildcards, nor what can't be seen; its folder, and the file in it. */
const FILE = /^((?:[a-z][a-z0-9+.-]*:\/\/[^/*?%\\\p{C}]*)?)((?:\/(?!\.{1,2}\/)[^/*?%\\\p{C}]+)+)\/(?!\.{1,2}$)[^/*?%\\\p{C}]+$/iu;

/** Last words of arguments' names that hold a file, however short it is written: `b` lies in a folder that nobody here knows. */
const OF_FILES: ReadonlySet<string> = new Set(
  'path file filename folder dir directory source src from destination dest dst target to output out'.split(' '),
);

/** Most characters of a path that a rule is made of. */
const LONGEST = 1024;

/** A home, on another disk too: what lies directly in it is next to the keys. */
const HOME = /\/(?:home|users)\/[^/]+$/i;

/** Tools of which a rule never allows more than one exact call: nobody can tell what the next call would do. */
const GRAVE = ['execute', 'destroy'] as const;

/** Texts that make a call grave if its tool takes statements or actions. */
const GRAVE_TEXTS = ['drop table t', 'delete'];

/** The widths besides `exact` that a rule for this call may have, the narrowest first. */
export function widthsOf(call: Call): readonly Exclude<RuleWidth, 'exact'>[] {
  const { method, tool, resource, prompt, args } = call;
  const isUsual = (tool ?? prompt ?? resource) !== undefined && Object.values(SUBJECT_METHODS).some((usual) => usual === method);
  if (!isUsual || (tool !== undefined && isGrave(tool, args))) return [];
  const folder = widerFields(call, 'folder') === undefined ? [] : (['folder'] as const);
  return [...folder, ...(resource === undefined ? (['any'] as const) : [])];
}

/** The conditions of a rule of this width; undefined if there can be none. */
export function widerFields({ args, resource }: Call, width: Exclude<RuleWidth, 'exact'>): WiderFields | undefined {
  if (width === 'any') return { args: undefined, resource: undefined };
  if (resource !== undefined) {
    const folder = folderOf(resource);
    return folder === undefined ? undefined : { args: undefined, resource: `${folder}/**` };
  }
  const globs: Record<string, string> = {};
  for (const [name, value] of Object.entries(args ?? {})) {
    if (TEXTS.has(name) || !mayHoldPath(name, value)) continue;
    const folder = typeof value === 'string' && value.startsWith('/') ? folderOf(value) : undefined;
    // A path that the rule could not hold would be free.
    if (folder === undefined || !PLAIN_NAME.test(name) || OPERATORS.has(name)) return undefined;
    globs[name] = `${folder}/**`;
  }
  return Object.keys(globs).length === 0 ? undefined : { args: globs, resource: undefined };
}

/** Says in a few words what a rule of this width allows. */
export function describeWidth(call: Call, width: RuleWidth): string {
  const what = call.tool !== undefined ? 'tool' : call.prompt !== undefined ? 'prompt' : 'resource';
  if (width === 'exact') return 'this exact call';
  if (width === 'any') return `this ${what} with any arguments`;
  const { args, resource } = widerFields(call, width) ?? {};
  const globs =
    resource === undefined ? Object.entries(args ?? {}).map(([name, glob]) => `${name} in ${String(glob)}`) : [resource];
  return resource === undefined
    ? `this tool with ${globs.join(' and ')}, and any other arguments`
    : `resources in ${globs.join('')}`;
}

function isGrave(tool: string, args: JsonObject | undefined): boolean {
  const found = new Set([
    ...classify({ name: tool, isPinned: false }),
    ...[args, ...GRAVE_TEXTS.map((text) => withTexts(args, text))].flatMap((each) =>
      each === undefined ? [] : [...classifyArguments(tool, each as JsonObject, () => undefined)],
    ),
  ]);
  return GRAVE.some((category) => found.has(category));
}

/** The arguments of another call of the tool, with this in the place of each text. */
function withTexts(value: JsonValue | undefined, text: string): JsonValue | undefined {
  if (typeof value === 'string') return text;
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withTexts(item, text) ?? null);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTexts(member, text) ?? null]));
}

/** The folder of a file, at least two deep, so that it is never a whole disk, a home, or all of `/etc`. */
function folderOf(text: string): string | undefined {
  const [, origin = '', path] = (text.length <= LONGEST ? FILE.exec(text) : null) ?? [];
  if (path === undefined || HOME.test(path) || path.split('/').length < 3) return undefined;
  return origin + path;
}

function mayHoldPath(name: string, value: JsonValue): boolean {
  return mentionsPath(value) || (typeof value === 'string' && OF_FILES.has(splitName(name).at(-1) ?? ''));
}

/** Tells whether a value is, or contains, what may be a path. Texts of several lines are none. */
function mentionsPath(value: unknown): boolean {
  if (typeof value === 'string') return isPathLike(value) && !value.includes('\n');
  return typeof value === 'object' && value !== null && Object.values(value).some(mentionsPath);
}
