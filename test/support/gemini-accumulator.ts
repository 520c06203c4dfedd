import type { GeminiPart } from './gemini-events.ts';

/** The answer that a stream made, as the strictest client would have it. */
export interface GeminiAnswer {
  /** Parts of each candidate, by its number; empty texts are no parts. */
  readonly candidates: GeminiPart[][];
  readonly finishReasons: unknown[];
  /** What the events were besides. */
  readonly rest: object[];
  error: unknown;
}

interface Payload {
  readonly candidates?: readonly {
    readonly content?: { readonly role?: string; readonly parts?: readonly GeminiPart[] };
    readonly index?: number;
    readonly finishReason?: unknown;
  }[];
  readonly error?: unknown;
}

/**
 * Follows a stream of server-sent events as `@google/genai` does, and throws where it, or Gemini CLI, would: at a name, an id or a comment, at data of
 * several lines, at what is not JSON, and at an event that nothing ends.
 */
export function accumulateSse(stream: string): GeminiAnswer {
  const frames = stream.split(/\r\n\r\n|\n\n/);
  if (frames.pop()?.trim() !== '') throw new Error('the last event has no end');
  return accumulate(
    frames
      .filter((frame) => frame.trim() !== '')
      .map((frame) => {
        const [, data] = /^\s*data:([^\r\n]*)$/.exec(frame) ?? [];
        if (data === undefined) throw new Error(`no event: ${frame}`);
        return JSON.parse(data) as Payload;
      }),
  );
}

/** The same of a stream that is one array. */
export function accumulateArray(stream: string): GeminiAnswer {
  return accumulate(JSON.parse(stream) as readonly Payload[]);
}

function accumulate(payloads: readonly Payload[]): GeminiAnswer {
  const made: GeminiAnswer = { candidates: [], finishReasons: [], rest: [], error: undefined };
  for (const { candidates = [], error, ...rest } of payloads) {
    made.error ??= error;
    made.rest.push(rest);
    for (const [position, { content, index = position, finishReason }] of candidates.entries()) {
      const parts = (made.candidates[index] ??= []);
      for (const part of content?.parts ?? []) {
        if (Object.keys(part).length === 0) throw new Error('a part with nothing in it');
        if (part['text'] !== '' || 'thoughtSignature' in part) parts.push(part);
      }
      if (content?.parts?.length === 0) throw new Error('no parts');
      if (finishReason !== undefined) made.finishReasons[index] = finishReason;
    }
  }
  return made;
}
