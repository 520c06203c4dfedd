import type { Call } from '../call.ts';
import { type JsonValue } from '../json.ts';
import { MOST_PATHS } from '../match/paths-to-resolve.ts';
import type { Reading } from '../match/reading.ts';
import { lineChangesHooks } from './hook-lines.ts';
import { addsPlugin, hookFileKind, mayChangeHooks, mayNameHookFile } from './hook-files.ts';
import { isContentName, isPathName, isReadingTool, takesFile } from './names.ts';
import type { Suspects } from './suspects.ts';

/** Longer texts are no paths. */
const LONGEST_PATH = 4096;

/** Names of arguments that are not written. */
const NOT_WRITTEN = /^old|^(?:search|find|pattern|query|regex|description|explanation|instructions?|cwd|workdir)$/i;

/** The first lines of patches, and those by which a file comes to a name. */
const IS_PATCH = /^[^\S\n]*(?:\*\*\* (?:Begin Patch|Add|Update|Delete)|(?:---|\+\+\+) )/m;
const MOVED = /^[^\S\n]*(?:\*\*\* Move to:|(?:rename|copy) to )(.+)$/gm;

/** JSON deeper than this is refused before. */
const MAX_DEPTH = 128;

/**
 * Tells whether a call may change which hooks an agent has, in a file of the agent's user or of a project: it writes what is about hooks, or
 * something that nobody knows. Reading such a file, and writing other settings in it, is none of that. Links are not followed.
 */
export function changesHooks(call: Call, { paths, commands }: Suspects, reading: Reading): boolean {
  for (const [text, isShell] of commands) if (lineChangesHooks(text, isShell, reading.paths.cwd)) return true;
  const { tool = '', args } = call;
  if (args === undefined || isReadingTool(tool)) return false;
  const isNear = mayNameHookFile(reading.paths.cwd);
  // Calls with more paths are denied for that.
  const targets = [...paths].slice(0, MOST_PATHS + 1).flatMap(([text, name]) => {
    if (!isNear && !/[%*?[\\]/.test(text) && !mayNameHookFile(text)) return [];
    if (isContentName(name) && !isPathName(name)) return [];
    if (commands.has(text) || text.length > LONGEST_PATH || (/\s/.test(text) && !isPathName(name))) return [];
    return reading.forms(text).absolute.flatMap((path) => {
      const kind = hookFileKind(path);
      return kind === undefined ? [] : [{ text, name, path, kind }];
    });
  });
  if (targets.length === 0) return false;
  const written = textsIn(args).filter((text) => !targets.some((target) => target.text === text));
  return targets.some(({ text: target, name, path, kind }) => {
    if (kind !== 'variables' && (takesFile(tool, name) || written.some((text) => comesTo(text, target)))) return true;
    if (kind !== 'variables' && written.some((text) => /^(?:base64|hex|binary)$/i.test(text))) return true;
    return written.some((text) => mayChangeHooks(kind, addedIn(text)) || addsPlugin(path, addedIn(text)));
  });
}

/** The texts of arguments that may be written, at any depth. */
function textsIn(node: JsonValue, name = '', depth = 0): readonly string[] {
  if (typeof node === 'string') return NOT_WRITTEN.test(name) ? [] : [node];
  if (typeof node === 'boolean') return /^(?:value|new)/i.test(name) ? [String(node)] : [];
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(node)) return (node as readonly JsonValue[]).flatMap((each) => textsIn(each, name, depth + 1));
  return Object.entries(node).flatMap(([key, value]) => [
    // `{ "set": { "disableAllHooks": true } }`
    ...(typeof value === 'string' ? [] : [`${JSON.stringify(key)}:`]),
    ...textsIn(value as JsonValue, key, depth + 1),
  ]);
}

function addedIn(text: string): string {
  if (!IS_PATCH.test(text)) return text;
  return text
    .split('\n')
    .filter((line) => line.trimStart().startsWith('+'))
    .map((line) => line.trimStart().slice(1))
    .join('\n');
}

/** Tells whether a patch gives a file this name: what was in it is not known. */
function comesTo(text: string, target: string): boolean {
  return text.includes('\n') && Array.from(text.matchAll(MOVED), ([, file = '']) => file.trim()).includes(target);
}
