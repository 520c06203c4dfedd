import type { Category } from '../core/call.ts';
import { classifyName } from '../core/classify/classify-name.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { nameProblem } from '../core/registry/deceptive-names.ts';
import { finding } from './judge-launch.ts';
import { judgeSchema } from './judge-schema.ts';
import type { ScanFinding } from './scanned.ts';

/** Judges what a tool says about itself, apart from its words, which detection reads. */
export function judgeTool(name: string, definition: JsonObject): readonly ScanFinding[] {
  return [
    ...judgeName(name),
    ...judgeAnnotations(name, definition['annotations']),
    ...judgeSchema(name, definition['inputSchema']),
    ...judgeDescription(name, definition),
  ];
}

/** Judges whether the name of a tool or prompt is what it looks like. */
export function judgeName(name: string): readonly ScanFinding[] {
  const problem = nameProblem(name);
  if (problem === undefined) return [];
  const todo = 'do not use it: people and programs read it as another name';
  return [finding('deceptive-name', { severity: 'high', subject: name, message: `there is ${problem}`, todo })];
}

/** The worst that a name says, with the words for it. */
const SAID: readonly (readonly [category: Category, words: string])[] = [
  ['destroy', 'destroys something'],
  ['execute', 'runs commands'],
  ['write', 'changes something'],
];

/** Compares the hints, by which clients decide whether to ask a person, with the name. */
function judgeAnnotations(name: string, annotations: JsonValue | undefined): readonly ScanFinding[] {
  if (!isJsonObject(annotations)) return [];
  const said = classifyName(name);
  const [category, words] = SAID.find(([each]) => said.has(each)) ?? [];
  if (category === undefined || words === undefined) return [];
  const todo = 'let no client allow it unasked because of its hints, and tell its author';
  if (annotations['readOnlyHint'] === true) {
    // Some verbs, such as `run`, are of queries too.
    if (category === 'write' && said.has('read')) return [];
    const severity = category === 'write' ? 'medium' : 'high';
    const message = `it claims to only read (readOnlyHint), but its name says that it ${words}`;
    return [finding('read-only-hint', { severity, subject: name, message, todo })];
  }
  if (annotations['destructiveHint'] !== false || category !== 'destroy') return [];
  const message = 'it claims to destroy nothing (destructiveHint), but its name says that it does';
  return [finding('harmless-hint', { severity: 'medium', subject: name, message, todo })];
}

function judgeDescription(name: string, { description, title, annotations }: JsonObject): readonly ScanFinding[] {
  const texts = [description, title, isJsonObject(annotations) ? annotations['title'] : undefined];
  if (texts.some((text) => typeof text === 'string' && text.trim() !== '')) return [];
  const message = 'it has no description, so nobody can tell what it is for';
  return [finding('no-description', { severity: 'low', subject: name, message, todo: 'ask its author for one' })];
}
