import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Category } from '../category.ts';
import { splitName } from './split-name.ts';

/** Parameters looked at; a schema comes from the server and may have any number. */
const MOST_PARAMETERS = 1000;

const RECIPIENTS: ReadonlySet<string> = new Set(
  'to cc bcc recipient recipients receiver addressee phone webhook email_to to_email to_number phone_number recipient_id recipient_email'.split(
    ' ',
  ),
);
const ADDRESSES: ReadonlySet<string> = new Set(
  'url urls uri href endpoint webhook_url callback_url target_url base_url host'.split(' '),
);
const TEXTS: ReadonlySet<string> = new Set('body message text subject html content comment'.split(' '));
/** What is run, whatever the tool is called: `query` with `sql` may change everything. */
const PROGRAMS: ReadonlySet<string> = new Set('command cmd shell_command script sql sql_query statement javascript'.split(' '));

/**
 * Adds what the parameters of a tool tell, whoever wrote its definition. What a name says is taken back only by the annotations of a
 * definition that is trusted.
 */
export function refineByDefinition(found: Set<Category>, definition: JsonObject, isPinned: boolean): void {
  const names = parameterNames(definition);
  if (names !== undefined) refineByParameters(found, names);
  if (isPinned) refineByAnnotations(found, definition);
}

/** Undefined where there is no schema that says them. */
function parameterNames(definition: JsonObject): readonly string[] | undefined {
  const schema = definition['inputSchema'];
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  if (!isJsonObject(properties)) return undefined;
  return Object.keys(properties)
    .slice(0, MOST_PARAMETERS)
    .map((name) => splitName(name).join('_'));
}

function refineByParameters(found: Set<Category>, names: readonly string[]): void {
  const hasAny = (among: ReadonlySet<string>): boolean => names.some((name) => among.has(name));
  const hasText = hasAny(TEXTS);
  // `to` and `phone` are places elsewhere: only with something to say they are whom to say it to.
  if (hasAny(RECIPIENTS) && hasText) found.add('send');
  if (hasAny(ADDRESSES)) found.add('send');
  if (hasAny(PROGRAMS)) found.add('write').add('compute');
  if (found.size === 0 && hasText) found.add('send');
}

function refineByAnnotations(found: Set<Category>, definition: JsonObject): void {
  const annotations = definition['annotations'];
  if (!isJsonObject(annotations)) return;
  if (annotations['readOnlyHint'] === true) {
    found.delete('write');
    if (found.size === 0) found.add('read');
  }
  // Fetching what is the server's own sends nothing anywhere.
  if (annotations['openWorldHint'] === false && found.has('read')) found.delete('send');
  if (annotations['destructiveHint'] === true && annotations['readOnlyHint'] !== true) found.add('write');
}
