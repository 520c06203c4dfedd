import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnthropicStream } from '../../src/protocol/llm/anthropic/stream.ts';
import { type Accumulated, accumulateMessage } from '../support/anthropic-accumulator.ts';
import { driveModelStream, type Driven, type Driving, everySplit } from '../support/drive-model-stream.ts';

/** What recorded streams are replayed through, by the name of the folder that they are in. */
const DIALECTS: Readonly<Record<string, { readonly create: Driving['create']; readonly follow: (text: string) => Accumulated }>> =
  {
    anthropic: { create: createAnthropicStream, follow: accumulateMessage },
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
  /** How many ways to cut it gave another result; undefined where it was not cut. */
  readonly differingSplits: number | undefined;
}

/** Replays the streams in the folders of a folder that are named after dialects: one `.sse` file each. */
export function scoreStreams(folder: string): readonly StreamScore[] {
  const present = Object.entries(DIALECTS).filter(([dialect]) => existsSync(join(folder, dialect)));
  if (present.length === 0) throw new Error(`there is no ${Object.keys(DIALECTS).join(' or ')} in ${folder}`);
  return present.flatMap(([dialect, { create, follow }]) =>
    readdirSync(join(folder, dialect))
      .filter((name) => name.endsWith('.sse'))
      .toSorted()
      .map((name) => scoreStream(`${dialect}/${name}`, readFileSync(join(folder, dialect, name)), { create, follow })),
  );
}

/** @param source the stream's bytes */
export function scoreStream(
  name: string,
  source: Buffer,
  { create, follow }: { readonly create: Driving['create']; readonly follow: (text: string) => Accumulated },
): StreamScore {
  const allow: Driving = { create };
  const hold: Driving = { create, nameVerdict: () => 'hold', answers: 'after the end' };
  const deny: Driving = { create, nameVerdict: () => 'deny', verdict: () => ({ isAllowed: false, note: '[clawai] No.' }) };
  const text = source.toString();
  const original = attempt(() => follow(text));
  const outcome = (driving: Driving) =>
    outcomeOf(driveModelStream([source], driving), { text, original, follow, isDenied: driving === deny });
  return {
    name,
    allowed: outcome(allow),
    held: outcome(hold),
    denied: outcome(deny),
    differingSplits: source.length > MOST_SPLIT ? undefined : countDiffering(source, [allow, hold, deny]),
  };
}

function outcomeOf(
  { text, fault }: Driven,
  source: {
    readonly text: string;
    readonly original: Accumulated | undefined;
    readonly follow: (text: string) => Accumulated;
    readonly isDenied: boolean;
  },
): Outcome {
  const made = attempt(() => source.follow(text));
  const isCallLeft = source.isDenied && made?.content.some(({ type }) => String(type).endsWith('tool_use')) === true;
  if (text === source.text) return isCallLeft ? 'WRONG' : 'identical';
  if (made === undefined) return fault !== undefined && /event: error\n[^\n]+\n\n$/.test(text) ? 'ended' : 'WRONG';
  if (fault !== undefined) return made.error === undefined ? 'WRONG' : 'ended';
  const { original } = source;
  if (original === undefined) return 'hardened';
  if (JSON.stringify(made) === JSON.stringify(original)) return 'same';
  if (!original.isFinished) return made.content.length <= original.content.length ? 'cut' : 'WRONG';
  const isWhole = made.isFinished && made.content.length === original.content.length;
  return source.isDenied && isWhole && !isCallLeft ? 'noted' : 'WRONG';
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
  return text.replaceAll('\r\n', '\n').replaceAll(/\n{3,}/g, '\n\n');
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
  const rows = scores.map(({ name, allowed, held, denied, differingSplits }) =>
    line(name, [allowed, held, denied, differingSplits === undefined ? '-' : String(differingSplits)]),
  );
  const isWrong = ({ allowed, held, denied, differingSplits }: StreamScore) =>
    [allowed, held, denied].includes('WRONG') || (differingSplits ?? 0) > 0;
  return [
    line('', ['allow all', 'hold all', 'deny all', 'differing splits']),
    ...rows,
    `${scores.length} streams, ${scores.filter(isWrong).length} wrong`,
  ].join('\n');
}
