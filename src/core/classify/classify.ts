import { CATEGORIES, type Category } from '../call.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { classifyName } from './classify-name.ts';
import { describesRunning } from './describes-running.ts';
import { ADDRESSES, ADDRESSES_LAST, OF_MACHINES, PROGRAMS, RECIPIENTS, TEXTS } from './parameter-words.ts';
import { type Parameter, readParameters } from './read-parameters.ts';
import { refineByArguments } from './refine-by-arguments.ts';
import { takesCommands } from './runs-commands.ts';
import { splitName } from './split-name.ts';

const FORMATS_OF_ADDRESSES: ReadonlySet<string> = new Set(
  'uri uri-reference iri iri-reference url hostname idn-hostname ipv4 ipv6'.split(' '),
);

interface Definer {
  readonly name: string;
  readonly isPinned: boolean;
}

/** A tool, as far as it is known. */
export interface Classified {
  readonly name: string;
  /** As the server lists it. */
  readonly definition?: JsonObject;
  /**
   * The definition is as it was approved, or first seen: only then its annotations count. They never take anything back, since a server
   * says in them what it likes.
   */
  readonly isPinned: boolean;
}

/** What the user says of tools whose names match. */
export type ClassifyOverrides = readonly { readonly category: Category; matches(name: string): boolean }[];

/**
 * Says what a tool does: by the verbs anywhere in its name, what its parameters are called, and the annotations of a pinned definition,
 * which only add. What the user says of it replaces all of that.
 *
 * @returns at least one category, each once, in the order of `CATEGORIES`; `unknown` where nothing tells, and besides what tells
 *   where there is more than can be looked at
 */
export function classify(tool: Classified, overrides: ClassifyOverrides = []): readonly Category[] {
  const said = new Set(overrides.filter((override) => override.matches(tool.name)).map(({ category }) => category));
  if (said.size > 0) return inOrder(said);
  const found = classifyName(tool.name);
  if (tool.definition !== undefined) refineByDefinition(found, tool.definition, tool);
  return found.size === 0 ? ['unknown'] : inOrder(found);
}

/**
 * What the arguments of a call tell of what it does, besides what `classify` says of the tool; `unknown` where there is more than can be looked
 * at.
 *
 * @param definition asked for where it matters
 */
export function classifyArguments(
  tool: string,
  args: JsonObject,
  definition: () => JsonObject | undefined,
): ReadonlySet<Category> {
  let declared: ReadonlyMap<string, Parameter> | undefined;
  return refineByArguments(
    args,
    () => splitName(tool),
    (name) => {
      const schema = declared === undefined ? definition()?.['inputSchema'] : undefined;
      declared ??= new Map((isJsonObject(schema) ? readParameters(schema).parameters : []).map((each) => [each.name, each]));
      return declared.get(name);
    },
  );
}

function inOrder(categories: ReadonlySet<Category>): readonly Category[] {
  return CATEGORIES.filter((category) => categories.has(category));
}

/**
 * Adds what the parameters of a tool and the first sentence about it tell, whoever wrote its definition, and what the annotations of a pinned one do. Nothing that is found
 * is taken back: a pin may be made at first sight, and then annotations are still no more than the server's own word. Where there
 * is more of a schema than is looked at, `unknown` is added.
 */
export function refineByDefinition(found: Set<Category>, definition: JsonObject, { name, isPinned }: Definer): void {
  const schema = definition['inputSchema'];
  if (isJsonObject(schema)) {
    const { parameters, isWhole } = readParameters(schema);
    refineByParameters(found, parameters);
    // What is nested, a call tells once it is given.
    const ownParameters = parameters.filter(({ isNested }) => !isNested);
    if (takesCommands(ownParameters, splitName(name))) found.add('write').add('compute').add('execute');
    if (!isWhole) found.add('unknown');
  }
  const description = definition['description'];
  if (typeof description === 'string' && describesRunning(description)) found.add('write').add('compute').add('execute');
  if (isPinned) refineByAnnotations(found, definition);
}

function refineByParameters(found: Set<Category>, parameters: readonly Parameter[]): void {
  const hasAny = (among: ReadonlySet<string>): boolean => parameters.some(({ name }) => among.has(name));
  const hasText = hasAny(TEXTS);
  // `to` and `phone` are places elsewhere: only with something to say they are whom to say it to.
  if (hasText && parameters.some(({ name, format }) => RECIPIENTS.has(name) || format === 'email')) found.add('send');
  if (parameters.some(isAddress)) found.add('send');
  const hasDestination = parameters.some(({ name }) => name === 'destination' || name === 'target');
  if (hasDestination && hasAny(OF_MACHINES)) found.add('send');
  if (parameters.some(({ name, isText }) => isText && PROGRAMS.has(name))) found.add('write').add('compute');
  if (found.size === 0 && hasText) found.add('send');
}

function isAddress({ name, isText, format }: Parameter): boolean {
  if (!isText) return false;
  if (ADDRESSES.has(name) || (format !== undefined && FORMATS_OF_ADDRESSES.has(format))) return true;
  return ADDRESSES_LAST.has(name.slice(name.lastIndexOf('_') + 1));
}

function refineByAnnotations(found: Set<Category>, definition: JsonObject): void {
  const annotations = definition['annotations'];
  if (!isJsonObject(annotations)) return;
  const isReadOnly = annotations['readOnlyHint'] === true;
  if (isReadOnly && found.size === 0) found.add('read');
  if (annotations['destructiveHint'] === true && !isReadOnly) found.add('write');
}
