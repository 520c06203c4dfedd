import { elementsOf, membersOf, sourceOf, stringOf, type TextSpan, wholeOf } from '../../json-text.ts';
import { UNKNOWN } from '../../texts/opaque-names.ts';
import type { CallPiece, ModelTexts, Shape, TextDelta } from '../../texts/shape.ts';
import { responsesTexts } from '../responses/texts.ts';

const TEXT: Shape = { text: 'text' };
const ARGUMENTS: Shape = { text: 'arguments' };
const DEFINITIONS: Shape = { deep: 'definition', isUnit: true };

const PART: Shape = {
  by: (part) => {
    const type = part.text('type');
    return type === 'text' || type === 'refusal' ? { text: TEXT, refusal: TEXT } : undefined;
  },
};

const CONTENT: Shape = { text: 'text', each: PART };

/** The same in requests. */
const SENT: Shape = { text: 'text', each: { ...PART, all: UNKNOWN } };

const MESSAGE: Shape = {
  members: {
    content: SENT,
    refusal: TEXT,
    function_call: { members: { arguments: ARGUMENTS } },
    tool_calls: { each: { members: { function: { members: { arguments: ARGUMENTS } }, custom: { members: { input: TEXT } } } } },
  },
  all: UNKNOWN,
  isUnit: true,
};

/** Words for the user. */
const ANSWER: Shape = {
  members: { choices: { each: { members: { text: TEXT, message: { members: { content: CONTENT, refusal: TEXT } } } } } },
};

/** Texts in the Chat Completions API, and in the older one of completions. Pictures, sound, files and signed reasoning are opaque. */
export const chatTexts: ModelTexts = {
  request: {
    members: {
      messages: { each: MESSAGE },
      prediction: { members: { content: SENT } },
      tools: DEFINITIONS,
      functions: DEFINITIONS,
      prompt: { text: 'text', each: TEXT },
      suffix: TEXT,
      response_format: { deep: 'definition' },
    },
    all: UNKNOWN,
  },
  answer: ANSWER,
  // The results of a batch are answers of either API.
  line: { members: { response: { members: { body: { members: { ...ANSWER.members, ...responsesTexts.answer.members } } } } } },
  deltas,
  calls,
};

function deltas(data: string): readonly TextDelta[] {
  const choices = elementsOf(data, membersOf(data, wholeOf(data))?.get('choices')) ?? [];
  return choices.flatMap((choice): TextDelta[] => {
    const members = membersOf(data, choice);
    const delta = membersOf(data, members?.get('delta'));
    const span = members?.get('text') ?? delta?.get('content');
    if (span === undefined || data[span.start] !== '"') return [];
    const isLast = [members?.get('finish_reason'), delta?.get('tool_calls')].some((each) => isGiven(data, each));
    return [{ key: sourceOf(data, members?.get('index')) ?? '0', span, isLast }];
  });
}

function isGiven(data: string, span: TextSpan | undefined): boolean {
  return span !== undefined && !data.startsWith('null', span.start);
}

function calls(data: string): readonly CallPiece[] {
  const whole = membersOf(data, wholeOf(data));
  const body = membersOf(data, whole?.get('response'))?.get('body');
  const choices = elementsOf(data, (membersOf(data, body) ?? whole)?.get('choices')) ?? [];
  return choices.flatMap((choice) => {
    const members = membersOf(data, choice);
    const index = sourceOf(data, members?.get('index')) ?? '0';
    const message = membersOf(data, members?.get('message'));
    const from = message ?? membersOf(data, members?.get('delta'));
    const made = elementsOf(data, from?.get('tool_calls')) ?? [];
    const older = from?.get('function_call');
    const pieces = made.map((each, at) => pieceOf(data, { span: each, key: `${index} ${at}`, isEnd: message !== undefined }));
    if (older !== undefined && isGiven(data, older))
      pieces.push(pieceOf(data, { span: older, key: `${index} older`, isEnd: message !== undefined }));
    // The end of a choice is the end of its calls.
    return isGiven(data, members?.get('finish_reason')) && message === undefined ? [...pieces, { key: '', isEnd: true }] : pieces;
  });
}

function pieceOf(
  data: string,
  { span, key, isEnd }: { readonly span: TextSpan; readonly key: string; readonly isEnd: boolean },
): CallPiece {
  const members = membersOf(data, span);
  const inner = membersOf(data, members?.get('function') ?? members?.get('custom')) ?? members;
  const name = stringOf(data, inner?.get('name'));
  const given = inner?.get('arguments') ?? inner?.get('input');
  const call = name === undefined || name === '' ? undefined : { name, group: undefined };
  const number = isEnd ? undefined : sourceOf(data, members?.get('index'));
  const at = given !== undefined && data[given.start] === '"' ? given : undefined;
  return {
    key: number === undefined ? key : `${key.split(' ', 1)[0]} ${number}`,
    call,
    ...(isEnd ? { whole: at } : { piece: at }),
    isEnd,
  };
}
