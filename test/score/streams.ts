import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnthropicStream } from '../../src/protocol/llm/anthropic/stream.ts';
import type { Framing } from '../../src/protocol/llm/dialect.ts';
import { createChatStream } from '../../src/protocol/llm/openai/chat/stream.ts';
import { createResponsesStream } from '../../src/protocol/llm/openai/responses/stream.ts';
import { createGeminiStream } from '../../src/protocol/llm/gemini/stream.ts';
import { accumulateMessage } from '../support/anthropic-accumulator.ts';
import { accumulateChat } from '../support/chat-accumulator.ts';
import { driveModelStream, type Driven, type Driving, everySplit } from '../support/drive-model-stream.ts';
import { accumulateResponse } from '../support/response-accumulator.ts';
import { accumulateArray, accumulateSse } from '../support/gemini-accumulator.ts';

/** What a stream came to, whatever its dialect. */
export interface Followed {
  /** All of it, to be compared. */
  readonly message: unknown;
  /** How many blocks it has, or messages: what is denied leaves as many. */
  readonly size: number;
  readonly calls: number;
  readonly isFinished: boolean;
  readonly error: unknown;
}

export interface ScoredDialect {
  readonly create: Driving['create'];
  /** How a stream's events lie in it; as server-sent events, unless said otherwise. */
  readonly framingOf?: (text: string) => Framing;
  /** Follows a stream as the strictest client would, and throws at what is not in order. */
  readonly follow: (text: string) => Followed;
  /** How a stream ends that could not be followed. */
  readonly errorEnd: RegExp;
}

export const ANTHROPIC: ScoredDialect = {
  create: createAnthropicStream,
  follow(text) {
    const made = accumulateMessage(text);
    const calls = made.content.filter(({ type }) => String(type).endsWith('tool_use'));
    return { ...made, message: made, size: made.content.length, calls: calls.length };
  },
  errorEnd: /event: error\n[^\n]+\n\n$/,
};

export const OPENAI_CHAT: ScoredDialect = {
  create: createChatStream,
  follow(text) {
    const made = accumulateChat(text);
    const calls = made.choices.flatMap(({ toolCalls, functionCall }) => [
      ...toolCalls,
      ...(functionCall === undefined ? [] : [functionCall]),
    ]);
    return { ...made, message: made, size: made.choices.length, calls: calls.length };
  },
  errorEnd: /data: \{"error":[^\n]+\n\n$/,
};

export const OPENAI_RESPONSES: ScoredDialect = {
  create: createResponsesStream,
  follow(text) {
    const made = accumulateResponse(text);
    const items = [...made.items, ...(made.output ?? [])];
    const calls = items.filter(({ type }) => String(type).endsWith('_call'));
    return { ...made, message: made, size: items.length, calls: calls.length };
  },
  errorEnd: /event: error\n[^\n]+\n\n$/,
};

export const GEMINI: ScoredDialect = {
  create: createGeminiStream,
  framingOf: (text) => (text.startsWith('[') ? 'json_array' : 'sse'),
  follow(text) {
    const made = text.startsWith('[') ? accumulateArray(text) : accumulateSse(text);
    const parts = made.candidates.flat();
    const calls = parts.filter((part) => typeof (part['functionCall'] as { name?: unknown } | undefined)?.name === 'string');
    // Pieces of a denied call leave empty texts, which are no parts.
    const size = parts.filter(
      ({ functionCall }) => functionCall === undefined || calls.some((one) => one['functionCall'] === functionCall),
    ).length;
    return { message: made, size, calls: calls.length, isFinished: made.finishReasons.length > 0, error: made.error };
  },
  errorEnd: /\{"error":[^\n]+[\n\]]+$/,
};

/** What recorded streams are replayed through, by the name of the folder that they are in. */
const DIALECTS: Readonly<Record<string, ScoredDialect>> = {
  anthropic: ANTHROPIC,
  'openai-chat': OPENAI_CHAT,
  'openai-responses': OPENAI_RESPONSES,
  gemini: GEMINI,
};

/** Longer streams are not cut at every byte. */
const MOST_SPLIT = 4096;

/**
 * `identical`: byte for byte. `same`: another text of the same message. `noted`: what was denied has been replaced. `cut`: a part of what
 * upstream did not finish. `hardened`: made plain where readers differ on the original. `ended`: with an error that tells why.
 * `WRONG`: none of these.
 */
export type Outcome = 'identical' | 'same' | 'noted' | 'cut' | 'hardened' | 'ended' | 'WRONG';

export interface StreamScore {
  readonly name: string;
  readonly allowed: Outcome;
  readonly held: Outcome;
  readonly denied: Outcome;
  /** The first call alone. */
  readonly deniedOne: Outcome;
  /** How many ways to cut it gave another result; undefined where it was not cut. */
  readonly differingSplits: number | undefined;
}

/** Replays the streams in the folders of a folder that are named after dialects: one `.sse` file each. */
export function scoreStreams(folder: string): readonly StreamScore[] {
  const present = Object.entries(DIALECTS).filter(([dialect]) => existsSync(join(folder, dialect)));
  if (present.length === 0) throw new Error(`there is no ${Object.keys(DIALECTS).join(' or ')} in ${folder}`);
  return present.flatMap(([dialect, scored]) =>
    readdirSync(join(folder, dialect))
      .filter((name) => name.endsWith('.sse'))
      .toSorted()
      .map((name) => scoreStream(`${dialect}/${name}`, readFileSync(join(folder, dialect, name)), scored)),
  );
}

/** @param source the stream's bytes */
export function scoreStream(name: string, source: Buffer, dialect: ScoredDialect): StreamScore {
  const { create, follow } = dialect;
  const no = { isAllowed: false, note: '[clawai] No.' } as const;
  const text = source.toString();
  const driven: Driving = { create, framing: dialect.framingOf?.(text) ?? 'sse' };
  const allow: Driving = driven;
  const hold: Driving = { ...driven, nameVerdict: () => 'hold', answers: 'after the end' };
  const deny: Driving = { ...driven, nameVerdict: () => 'deny', verdict: () => no };
  const original = attempt(() => follow(text));
  const outcome = (driving: Driving, leaves: number | undefined) =>
    outcomeOf(driveModelStream([source], driving), { text, original, dialect, leaves });
  let asked = 0;
  const denyOne: Driving = { ...driven, nameVerdict: () => 'hold', verdict: () => (asked++ === 0 ? no : { isAllowed: true }) };
  return {
    name,
    allowed: outcome(allow, undefined),
    held: outcome(hold, undefined),
    denied: outcome(deny, 0),
    // How many calls there are in what no client can follow, nobody knows.
    deniedOne: outcome(denyOne, original && Math.max(0, original.calls - 1)),
    differingSplits: source.length > MOST_SPLIT ? undefined : countDiffering(source, [allow, hold, deny]),
  };
}

function outcomeOf(
  { text, fault }: Driven,
  source: {
    readonly text: string;
    readonly original: Followed | undefined;
    readonly dialect: ScoredDialect;
    /** How many calls are to be left; undefined: all of them. */
    readonly leaves: number | undefined;
  },
): Outcome {
  const { leaves, original, dialect } = source;
  const made = attempt(() => dialect.follow(text));
  const isCallLeft = leaves !== undefined && (made?.calls ?? 0) > leaves;
  if (text === source.text) return isCallLeft ? 'WRONG' : 'identical';
  if (made === undefined) return fault !== undefined && dialect.errorEnd.test(text) ? 'ended' : 'WRONG';
  if (fault !== undefined) return made.error === undefined ? 'WRONG' : 'ended';
  if (original === undefined) return isCallLeft ? 'WRONG' : 'hardened';
  if (JSON.stringify(made.message) === JSON.stringify(original.message)) return isCallLeft ? 'WRONG' : 'same';
  if (!original.isFinished) return made.size <= original.size && !isCallLeft ? 'cut' : 'WRONG';
  const isWhole = made.isFinished && made.size === original.size;
  return leaves !== undefined && isWhole && !isCallLeft ? 'noted' : 'WRONG';
}

function countDiffering(source: Buffer, drivings: readonly Driving[]): number {
  return drivings
    .map((driving) => {
      const whole = driveModelStream([source], driving);
      return everySplit(source).filter((chunks) => {
        const cut = driveModelStream(chunks, driving);
        return plain(cut.text) !== plain(whole.text) || cut.fault !== whole.fault || cut.asked.length !== whole.asked.length;
      }).length;
    })
    .reduce((sum, count) => sum + count, 0);
}

/** Without what a line end that is cut in two changes: the event is written anew then. */
function plain(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimStart();
}

function attempt<T>(follow: () => T): T | undefined {
  try {
    return follow();
  } catch {
    // Not every stream can be followed; that is what is found out here.
    return undefined;
  }
}

/** A table: a line for each stream, and the sums. */
export function formatStreamScores(scores: readonly StreamScore[]): string {
  const width = Math.max(...scores.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padEnd(10))].join('  ').trimEnd();
  const rows = scores.map(({ name, allowed, held, denied, deniedOne, differingSplits }) =>
    line(name, [allowed, held, denied, deniedOne, differingSplits === undefined ? '-' : String(differingSplits)]),
  );
  const isWrong = ({ allowed, held, denied, deniedOne, differingSplits }: StreamScore) =>
    [allowed, held, denied, deniedOne].includes('WRONG') || (differingSplits ?? 0) > 0;
  return [
    line('', ['allow all', 'hold all', 'deny all', 'deny one', 'differing splits']),
    ...rows,
    `${scores.length} streams, ${scores.filter(isWrong).length} wrong`,
  ].join('\n');
}
