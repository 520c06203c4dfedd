import { CATEGORIES, type Category } from '../call.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { classifyName } from './classify-name.ts';
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

/** A tool with its known facts. */
interface Classified {
  readonly name: string;
  /** The definition as the server lists it. */
  readonly definition?: JsonObject;
  /**
   * True if the definition is the approved or first seen one: only then its annotations count. They only ever add categories, since a
   * server may claim anything in them.
   */
  readonly isPinned: boolean;
}

/** The user's categories for tools whose names match. */
export type ClassifyOverrides = readonly { readonly category: Category; matches(name: string): boolean }[];

/**
 * Classifies a tool by the verbs in its name, the names of its parameters, and the annotations of a pinned definition, which only add. The
 * user's overrides replace all of that.
 *
 * @returns at least one category, each once, in the order of `CATEGORIES`; `unknown` if nothing tells, and in addition if there is more
 * than can be read
 */
export function classify(tool: Classified, overrides: ClassifyOverrides = []): readonly Category[] {
  const declared = new Set(overrides.filter((override) => override.matches(tool.name)).map(({ category }) => category));
  if (declared.size > 0) return inOrder(declared);
  const found = classifyName(tool.name);
  if (tool.definition !== undefined) refineByDefinition(found, tool.definition, tool);
  return found.size === 0 ? ['unknown'] : inOrder(found);
}

/**
 * The categories that a call's arguments add to those of the tool; `unknown` if there is more than can be read.
 *
 * @param definition read only if it matters
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
 * Adds the categories told by a tool's parameters and the first sentence of its description, whoever wrote the definition, and by the
 * annotations of a pinned one. Removes nothing: a pin may be set on first use, so annotations are still only the server's word. Adds
 * `unknown` if the schema is larger than can be read.
 */
export function refineByDefinition(found: Set<Category>, definition: JsonObject, { name, isPinned }: Definer): void {
  const schema = definition['inputSchema'];
  if (isJsonObject(schema)) {
    const { parameters, isWhole } = readParameters(schema);
    refineByParameters(found, parameters);
    // Nested parameters count in a call, once they are given.
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
  // `to` and `phone` may be places: only with a text beside them are they recipients.
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

/** Openings before the verb of a sentence that tells what a tool does. */
const OPENING = String.raw`(?:this tool (?:can )?|(?:use this )?tool (?:to|that|for) |use this to |allows? (?:you )?to |request to |propose a command to )?`;

/** Actions that precede the run, often on the same thing. */
const FIRST = String.raw`(?:(?:compiles?|builds?|creates?|writes?|inserts?|opens?|attach(?:es)?|installs?|downloads?|saves?)\b[^.!?]{0,40}?\band )?`;

const RUNNING =
  '(?:runs?|running|execut(?:es?|ing)|evaluat(?:es?|ing)|evals?|invokes?|launch(?:es)?|triggers?|spawns?|injects?|dispatch(?:es)?)';

/** Words between verb and object; a preposition would make the object a place or a purpose. */
const BETWEEN = String.raw`(?:(?!(?:on|in|for|from|with|without|by|of|against|using|over|through|via|at|to|and)\b)[\w'\x60/.#+-]+,? |or |and ){0,6}?`;

const RUN =
  '(?:commands?|command[- ]line|one-?liners?|shell|scripts?|code|snippets?|expressions?|programs?|process(?:es)?|binary|binaries|executables?|macros?|java ?script|' +
  'python|typescript|ruby|php|lua\\w*|apple ?script|powershell|cli|pipelines?|workflows?|builds?|playbooks?|notebooks?|cells?|tests|targets?|goals|recipes?|' +
  'menu items?|keyboard shortcuts?|hotkeys?|apps?|containers?|pods?)';

const RUNS = new RegExp(String.raw`^\W{0,3}${OPENING}${FIRST}${RUNNING} ${BETWEEN}${RUN}\b`, 'i');

/** Matches a sentence that runs one program and nothing else, as `Runs helm.`, or with any arguments. */
const RUNS_PROGRAM = new RegExp(
  String.raw`^${RUNNING} (?:the )?[\w./'-]{2,40}(?:'s)?(?: cli)?(?:\.?$| with (?:any |the |these |given )?(?:arguments|args|flags)\b)`,
  'i',
);

/** Matches a sentence about passing something on to a program that runs it. */
const PASSES_ON =
  /^(?:sends?|writes?|feeds?|pass(?:es)?|types?|enters?) (?:(?!to\b)[\w'/-]+ ){0,5}?(?:commands?|lines?|input|keys|keystrokes|characters|bytes|code|scripts?|\w*lisp|lua|expressions?) (?:[\w'/-]+ ){0,3}?(?:to|into) [^.]{0,60}\b(?:terminal|shell|session|process|console|device|pane|repl|interpreter|server|drawing|kernel)\b/i;

/** Matches a shell itself, one that is opened, and a function call in a program. */
const IS_SHELL =
  /^(?:(?:use|uses|using) (?:the )?[\w-]+ cli\b|(?:an?|the) (?:[\w-]+ ){0,3}(?:shell|repl|interpreter|terminal|console)\b(?! (?:output|history|log|messages))|(?:(?:attach|opens?|starts?)\b[^.]{0,30}\b)(?:interactive|remote) [^.]{0,30}\b(?:shell|terminal|session)\b|calls? (?:an?|any|the) (?:\w+ ){0,3}(?:function|method|procedure)s?\b|schedules? (?:an? )?(?:[\w-]+ ){0,3}(?:script|command)\b)/i;

/** Matches control of a desktop: with mouse and keyboard one can open a terminal on it. */
const CONTROLS = /\b(?:mouse and (?:a )?keyboard|controls? (?:a|the) (?:\w{1,20} )?(?:computer|desktop))\b/i;

/** Most characters of a description that its first sentence may take. */
const MOST_SENTENCE = 240;

/**
 * Tells whether the first sentence of a tool's description claims that it runs commands or code. The other sentences are about when, or for
 * what.
 */
export function describesRunning(description: string): boolean {
  const [sentence = ''] = description
    .slice(0, MOST_SENTENCE)
    .trimStart()
    .split(/(?<=[.!?])\s|\n/, 1);
  return [RUNS, RUNS_PROGRAM, PASSES_ON, IS_SHELL, CONTROLS].some((form) => form.test(sentence));
}
