import { fieldsOf, textOf, type CorpusRow } from './corpus.ts';

/** A call of a sequence. */
export interface SequenceCall {
  /** Milliseconds from the start. */
  readonly time: number;
  readonly turn: string | undefined;
  readonly server: string;
  readonly tool: string;
}

/** What an agent calls, in order. */
export interface Sequence {
  readonly technique: string;
  readonly isMalicious: boolean;
  readonly calls: readonly SequenceCall[];
  /** Tools whose names another server had first: by `server` and `tool` as JSON text, that server. */
  readonly shadows: ReadonlyMap<string, string>;
}

/** Milliseconds between calls of which no time is known. */
const PAUSE = 2000;

/** Reads a row of kind `call_sequence`. A call of `tools/list` is no call: it says which name a server takes over, and from whom. */
export function readSequence({ place, technique, isMalicious, payload }: CorpusRow): Sequence {
  const items = fieldsOf(payload, place)['calls'];
  if (!Array.isArray(items)) throw new Error(`${place}: "calls" is no list`);
  const calls: SequenceCall[] = [];
  const shadows = new Map<string, string>();
  for (const [index, item] of items.entries()) {
    const fields = fieldsOf(item, place);
    const [server, tool] = [textOf(fields, 'server', place), textOf(fields, 'tool', place)];
    const { t: seconds, turn } = fields;
    const time = typeof seconds === 'number' ? seconds * 1000 : index * PAUSE;
    if (tool === 'tools/list') {
      const list = fieldsOf(fields['arguments'], place);
      shadows.set(shadowKey(server, textOf(list, 'overwrites', place)), textOf(list, 'originally', place));
    } else calls.push({ time, turn: turn === undefined ? undefined : String(turn), server, tool });
  }
  return { technique, isMalicious, calls, shadows };
}

export function shadowKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}
