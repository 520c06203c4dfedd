import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Category } from '../category.ts';
import { describesRunning } from './describes-running.ts';
import { ADDRESSES, ADDRESSES_LAST, OF_MACHINES, PROGRAMS, RECIPIENTS, TEXTS } from './parameter-words.ts';
import { type Parameter, readParameters } from './read-parameters.ts';
import { takesCommands } from './runs-commands.ts';
import { splitName } from './split-name.ts';

const FORMATS_OF_ADDRESSES: ReadonlySet<string> = new Set(
  'uri uri-reference iri iri-reference url hostname idn-hostname ipv4 ipv6'.split(' '),
);

interface Definer {
  readonly name: string;
  readonly isPinned: boolean;
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
