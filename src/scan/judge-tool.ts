import { classifyName } from '../core/classify/classify-name.ts';
import { splitName } from '../core/classify/split-name.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { finding } from './judge-launch.ts';
import { judgeSchema } from './judge-schema.ts';
import type { ScanFinding } from './scanned.ts';

/** Judges what a tool says about itself, apart from its name and its words, which detection reads. */
export function judgeTool(name: string, definition: JsonObject): readonly ScanFinding[] {
  return [
    ...judgeAnnotations(name, definition['annotations']),
    ...judgeSchema(name, definition['inputSchema']),
    ...judgeDescription(name, definition),
  ];
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Verbs that leave less than there was, whatever their object. */
const DELETING = words('delete remove destroy erase drop purge wipe truncate unlink rm rmdir kill terminate uninstall');

/** Verbs that change something and hardly ever mean anything else; others, such as `trigger` and `open`, may only start to read. */
const CHANGING = words('write create update insert edit modify append replace move rename upload save patch overwrite');

interface Said {
  readonly does: string;
  readonly severity: ScanFinding['severity'];
  readonly isDestroying: boolean;
}

/** The worst that a tool's name says it does; undefined if it may only read. */
function saidBy(name: string): Said | undefined {
  const said = classifyName(name);
  const verbs = splitName(name);
  const has = (list: ReadonlySet<string>): boolean => verbs.some((verb) => list.has(verb));
  if (said.has('destroy')) return { does: 'destroys something', severity: 'high', isDestroying: true };
  if (said.has('execute')) return { does: 'runs commands', severity: 'high', isDestroying: false };
  // Names such as `search_and_replace_preview` say both.
  if (!said.has('write') || said.has('read')) return undefined;
  if (has(DELETING)) return { does: 'deletes something', severity: 'high', isDestroying: true };
  return { does: 'changes something', severity: has(CHANGING) ? 'medium' : 'low', isDestroying: false };
}

/** Compares the hints, by which clients decide whether to ask a person, with the name. */
function judgeAnnotations(name: string, annotations: JsonValue | undefined): readonly ScanFinding[] {
  const said = isJsonObject(annotations) ? saidBy(name) : undefined;
  if (!isJsonObject(annotations) || said === undefined) return [];
  const { does, severity, isDestroying } = said;
  const todo = 'let no client allow it unasked';
  if (annotations['readOnlyHint'] === true) {
    const message = `readOnlyHint is set, but its name says that it ${does}`;
    return [finding('read-only-hint', { severity, subject: name, message, todo })];
  }
  if (annotations['destructiveHint'] !== false || !isDestroying) return [];
  const message = `destructiveHint is false, but its name says that it ${does}`;
  return [finding('harmless-hint', { severity: 'medium', subject: name, message, todo })];
}

function judgeDescription(name: string, { description, title, annotations }: JsonObject): readonly ScanFinding[] {
  const texts = [description, title, isJsonObject(annotations) ? annotations['title'] : undefined];
  if (texts.some((text) => typeof text === 'string' && text.trim() !== '')) return [];
  const message = 'it does not say what it is for';
  return [finding('no-description', { severity: 'low', subject: name, message, todo: 'ask its author for one' })];
}
