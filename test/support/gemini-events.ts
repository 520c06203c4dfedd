/** A part of a candidate's content. */
export type GeminiPart = Readonly<Record<string, unknown>>;

export const USAGE = { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 };
const REST = { usageMetadata: USAGE, modelVersion: 'gemini-3-pro', responseId: 'r-1' };

/** The payload of one event with these parts. */
export function payload(parts: readonly GeminiPart[], more: Readonly<Record<string, unknown>> = {}): object {
  return { candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], ...REST };
}

/** The last payload, as the API ends its streams. */
export function finish(reason = 'STOP'): object {
  return payload([{ text: '' }], { finishReason: reason });
}

export function text(words: string): GeminiPart {
  return { text: words };
}

export function call(name: string, args: unknown, more: { readonly id?: string; readonly signature?: string } = {}): GeminiPart {
  const { id, signature } = more;
  return {
    functionCall: { ...(id === undefined ? {} : { id }), name, args },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  };
}

/** Pieces of a call whose arguments are one text, as Vertex streams them: the first has the name, the last nothing. */
export function pieces(
  name: string,
  { id, path, value, size = 4 }: { readonly id: string; readonly path: string; readonly value: string; readonly size?: number },
): readonly GeminiPart[] {
  const cuts = Array.from({ length: Math.ceil(value.length / size) }, (_, at) => value.slice(at * size, (at + 1) * size));
  return [
    { functionCall: { id, name, willContinue: true } },
    ...cuts.map((cut, at) => ({
      functionCall: {
        partialArgs: [{ jsonPath: path, stringValue: cut, ...(at < cuts.length - 1 ? { willContinue: true } : {}) }],
        willContinue: true,
      },
    })),
    { functionCall: {} },
  ];
}

/** Payloads as server-sent events. */
export function sse(payloads: readonly object[]): string {
  return payloads.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join('');
}

/** Payloads as the elements of an array, as the API writes them. */
export function jsonArray(payloads: readonly object[]): string {
  return `[${payloads.map((one) => JSON.stringify(one, undefined, 2)).join('\r\n,\r\n')}\r\n]\r\n`;
}
