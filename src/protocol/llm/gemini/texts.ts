import { elementsOf, membersOf, sourceOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import { UNKNOWN, UNTOUCHED } from '../texts/opaque-names.ts';
import type { CallPiece, ModelTexts, Shape, TextDelta } from '../texts/shape.ts';
import { toCamel } from './keys.ts';

const TEXT: Shape = { text: 'text' };
const VALUES: Shape = { deep: 'arguments' };
const DEFINITIONS: Shape = { deep: 'definition' };

const PART: Shape = {
  by: (part) =>
    part.isTrue('thought')
      ? { text: UNTOUCHED }
      : {
          text: TEXT,
          functionCall: { members: { args: VALUES } },
          functionResponse: { members: { response: VALUES }, all: UNKNOWN },
          executableCode: { members: { code: TEXT } },
          codeExecutionResult: { members: { output: TEXT } },
        },
  all: UNKNOWN,
};

const CONTENT: Shape = { text: 'text', members: { parts: { text: 'text', each: PART } }, isUnit: true };

const MEMBERS: Readonly<Record<string, Shape>> = {
  systemInstruction: CONTENT,
  contents: { text: 'text', each: CONTENT },
  tools: { deep: 'definition', isUnit: true },
  generationConfig: { members: { responseSchema: DEFINITIONS, responseJsonSchema: DEFINITIONS }, all: UNKNOWN },
};

/** Texts in the Gemini API, by either spelling of its keys. Thoughts, their signatures, files and pictures are opaque. */
export const geminiTexts: ModelTexts = {
  // A request for a token count has the actual request inside.
  request: { members: { ...MEMBERS, generateContentRequest: { members: MEMBERS, all: UNKNOWN } }, all: UNKNOWN },
  answer: {
    members: {
      candidates: {
        each: {
          members: {
            content: { members: { parts: { each: { by: (part) => (part.isTrue('thought') ? undefined : { text: TEXT }) } } } },
          },
        },
      },
    },
  },
  deltas,
  calls,
  toName: toCamel,
};

function deltas(data: string): readonly TextDelta[] {
  const candidates = elementsOf(data, fieldsOf(data, wholeOf(data))?.get('candidates')) ?? [];
  return candidates.flatMap((candidate) => {
    const fields = fieldsOf(data, candidate);
    const parts = elementsOf(data, fieldsOf(data, fields?.get('content'))?.get('parts')) ?? [];
    const key = sourceOf(data, fields?.get('index')) ?? '0';
    return parts.flatMap((part, at): TextDelta[] => {
      const members = fieldsOf(data, part);
      const span = members?.get('text');
      const isThought = data.startsWith('true', members?.get('thought')?.start ?? data.length);
      if (span === undefined || isThought || data[span.start] !== '"') return [];
      return [{ key, span, isLast: at < parts.length - 1 || fields?.has('finishReason') === true }];
    });
  });
}

/** Arguments that come in pieces of another form are left as they are. */
function calls(data: string): readonly CallPiece[] {
  const candidates = elementsOf(data, fieldsOf(data, wholeOf(data))?.get('candidates')) ?? [];
  return candidates.flatMap((candidate) => {
    const parts = elementsOf(data, fieldsOf(data, fieldsOf(data, candidate)?.get('content'))?.get('parts')) ?? [];
    return parts.flatMap((part): CallPiece[] => {
      const call = fieldsOf(data, fieldsOf(data, part)?.get('functionCall'));
      const name = stringOf(data, call?.get('name'));
      if (name === undefined) return [];
      return [{ key: name, call: { name, group: undefined }, whole: call?.get('args'), isEnd: true }];
    });
  });
}

/** Returns an object's members by the names that the API writes. */
function fieldsOf(data: string, span: TextSpan | undefined): ReadonlyMap<string, TextSpan> | undefined {
  const members = membersOf(data, span);
  return members === undefined ? undefined : new Map(Array.from(members, ([key, value]) => [toCamel(key), value]));
}
