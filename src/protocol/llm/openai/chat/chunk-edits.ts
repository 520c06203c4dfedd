import { isObject, type JsonObject } from '../../json-object.ts';
import { elementsOf, membersOf, type TextSpan, wholeOf, withMembers } from '../../json-text.ts';
import { choiceSpans, type Chunk, type ChunkChoice } from './chunk.ts';

/** The fate of a piece of a call: it is held, or it passes with this index among the client's calls. */
export type PartFate = 'held' | number;

/** The fates of the pieces of calls in one choice of a chunk. */
export interface ChoiceFate {
  /** One for each of its `tool_calls`. */
  readonly parts: readonly PartFate[];
  /** True if its `function_call` is held. */
  readonly isLegacyHeld: boolean;
}

/** Members of a chunk that are constant within a stream, or carry no content. */
const USUAL = new Set([
  'id',
  'object',
  'created',
  'model',
  'system_fingerprint',
  'service_tier',
  'provider',
  'obfuscation',
  'choices',
]);
const USUAL_OF_CHOICE = new Set(['index', 'delta', 'finish_reason']);

/** Stands for the choices while a text is assembled; no JSON contains it. */
const MARK = '\0';

/** Removes held pieces of calls from a chunk. @returns undefined if nothing else is in it */
export function withoutHeld(chunk: Chunk, fates: readonly ChoiceFate[]): string | undefined {
  const says =
    hasMore(chunk.payload, USUAL) ||
    chunk.choices.some((choice, at) => saysMore(choice, fates[at]) || choice.finish !== undefined);
  return says ? withChoices(chunk, strippedChoices(chunk, fates)) : undefined;
}

/**
 * Splits a chunk that ends choices with undecided calls in two: its other content, and the end. The first is undefined if there is no other
 * content.
 *
 * @param isEnded tells whether a choice ends here, with calls
 */
export function splitAtEnd(
  chunk: Chunk,
  fates: readonly ChoiceFate[],
  isEnded: (choice: ChunkChoice) => boolean,
): { readonly before: string | undefined; readonly end: string } {
  const { choices, payload } = chunk;
  const stripped = strippedChoices(chunk, fates);
  if (choices.every((choice, at) => isEnded(choice) && !saysMore(choice, fates[at]))) {
    return { before: undefined, end: withChoices(chunk, stripped) };
  }
  const before = stripped.map((text, at) => {
    const isLast = isEnded(choices[at] as ChunkChoice);
    return isLast ? withMembers(text, wholeOf(text), { finish_reason: 'null' }) : text;
  });
  const end = stripped.flatMap((text, at) => {
    const choice = choices[at] as ChunkChoice;
    if (!isEnded(choice)) return [];
    return [withMembers(text, wholeOf(text), { delta: '{}', logprobs: 'logprobs' in choice.value ? 'null' : undefined })];
  });
  const usage = (payload['usage'] ?? null) === null ? {} : { usage: 'null' };
  return { before: withChoices(chunk, before, usage), end: withChoices(chunk, end) };
}

/** Replaces the finish reason of choices that have nothing left to run. @param data JSON text of a chunk */
export function withoutToolReason(data: string, isNothingLeft: (index: number) => boolean): string {
  const span = membersOf(data, wholeOf(data))?.get('choices');
  const spans = elementsOf(data, span) ?? [];
  const isChanged = spans.map(({ start, end }) => {
    const choice: unknown = JSON.parse(data.slice(start, end));
    return isObject(choice) && isToolReason(choice['finish_reason']) && isNothingLeft(Number(choice['index'] ?? 0));
  });
  if (!isChanged.includes(true)) return data;
  const texts = spans.map((each, at) =>
    isChanged[at] === true ? withMembers(data, each, { finish_reason: '"stop"' }) : data.slice(each.start, each.end),
  );
  return withMembers(data, wholeOf(data), { choices: `[${texts.join(',')}]` });
}

/** Tells whether this finish reason means that a message calls tools. */
export function isToolReason(reason: unknown): boolean {
  return reason === 'tool_calls' || reason === 'function_call';
}

/** The text around the choices in our own chunks, taken from another chunk. */
export interface Envelope {
  readonly before: string;
  readonly after: string;
}

export function envelopeOf({ data }: Chunk): Envelope {
  const text = withMembers(data, wholeOf(data), { choices: MARK, usage: undefined, obfuscation: undefined });
  const [before = '', after = ''] = text.split(MARK);
  return { before, after };
}

/** Formats a chunk of our own. @param delta JSON text */
export function formatOwnChunk({ before, after }: Envelope, index: number, delta: string): string {
  return `${before}[{"index":${index},"delta":${delta},"finish_reason":null}]${after}`;
}

function withChoices({ data }: Chunk, choices: readonly string[], changes: Readonly<Record<string, string>> = {}): string {
  return withMembers(data, wholeOf(data), { choices: `[${choices.join(',')}]`, ...changes });
}

/** Returns the source texts of the choices, without held pieces. */
function strippedChoices(chunk: Chunk, fates: readonly ChoiceFate[]): readonly string[] {
  const { data } = chunk;
  return choiceSpans(chunk).map((span, at) => {
    const fate = fates[at];
    const delta = membersOf(data, span)?.get('delta');
    if (fate === undefined || delta === undefined || !isTouched(fate, chunk.choices[at])) return data.slice(span.start, span.end);
    const changes: Record<string, string | undefined> = {};
    if (fate.isLegacyHeld) changes['function_call'] = undefined;
    if (fate.parts.length > 0) changes['tool_calls'] = keptParts(data, delta, fate.parts);
    return withMembers(data, span, { delta: withMembers(data, delta, changes) });
  });
}

/** Tells whether the fate changes anything in the choice. */
export function isTouched({ parts, isLegacyHeld }: ChoiceFate, choice: ChunkChoice | undefined): boolean {
  if (isLegacyHeld) return true;
  return parts.some((fate, at) => fate === 'held' || choice?.toolCalls[at]?.['index'] !== fate);
}

function keptParts(data: string, delta: TextSpan, fates: readonly PartFate[]): string | undefined {
  const span = membersOf(data, delta)?.get('tool_calls');
  const elements = elementsOf(data, span) ?? [];
  const kept = elements.flatMap((element, at) => {
    const fate = fates[at];
    if (fate === undefined || fate === 'held') return [];
    return [withMembers(data, element, { index: String(fate) })];
  });
  return kept.length === 0 ? undefined : `[${kept.join(',')}]`;
}

/** Tells whether a choice has content besides held pieces and its end. */
function saysMore({ value, delta }: ChunkChoice, fate: ChoiceFate | undefined): boolean {
  if (hasMore(value, USUAL_OF_CHOICE)) return true;
  const isCallKept = fate?.parts.some((part) => part !== 'held') === true;
  return Object.entries(delta).some(([key, member]) => {
    if (member === null || member === '') return false;
    if (key === 'tool_calls') return isCallKept;
    return key === 'function_call' ? fate?.isLegacyHeld !== true : true;
  });
}

function hasMore(object: JsonObject, usual: ReadonlySet<string>): boolean {
  return Object.entries(object).some(([key, member]) => member !== null && !usual.has(key));
}
