import { isObject, type JsonObject } from '../json-object.ts';
import type { TextsName } from '../model-api.ts';
import { typedPart } from './typed-part.ts';

/** A text in a request that neither the model nor a tool wrote. `system`: by whoever runs the agent. */
export interface SaidText {
  readonly by: 'user' | 'system';
  readonly text: string;
  /** The place of its message in the conversation, from 0; -1 for what stands outside of it. */
  readonly at: number;
}

/** The places of such texts in one API's requests. */
interface Form {
  /** The members with words of the system outside of the conversation. */
  readonly system: readonly string[];
  /** The member with the conversation, a list of messages; a lone text is one of the user. */
  readonly messages: string;
  readonly content: string;
  /** Types of messages with words; undefined for one without a type. */
  readonly types: ReadonlySet<unknown>;
  readonly roles: ReadonlyMap<unknown, SaidText['by']>;
  /** Types of parts with words. */
  readonly parts: ReadonlySet<unknown>;
}

const ALIKE: Pick<Form, 'content' | 'types' | 'roles' | 'parts'> = {
  content: 'content',
  types: new Set<unknown>([undefined]),
  roles: new Map<unknown, SaidText['by']>([
    ['user', 'user'],
    ['system', 'system'],
    ['developer', 'system'],
  ]),
  parts: new Set(['text']),
};

const FORMS: Readonly<Record<TextsName, Form>> = {
  anthropic: { ...ALIKE, system: ['system'], messages: 'messages' },
  chat: { ...ALIKE, system: [], messages: 'messages' },
  responses: {
    ...ALIKE,
    system: ['instructions'],
    messages: 'input',
    types: new Set<unknown>([undefined, 'message']),
    parts: new Set(['input_text', 'text']),
  },
  gemini: {
    ...ALIKE,
    system: ['systemInstruction', 'system_instruction'],
    messages: 'contents',
    content: 'parts',
    roles: new Map<unknown, SaidText['by']>([
      ['user', 'user'],
      [undefined, 'user'],
    ]),
    parts: new Set([undefined]),
  },
};

/** Members of a part with nothing but words. */
const PLAIN_PART: ReadonlySet<string> = new Set(['type', 'text', 'cache_control', 'partMetadata']);

/** Matches the type of a part that may stand beside the words of a user: a picture, a sound or a file. */
const MEDIUM = /^(?:input_)?(?:image|image_url|audio|input_audio|document|file|video)$/;
/** Members of such a part where parts have no type. */
const MEDIA = ['inlineData', 'inline_data', 'fileData', 'file_data'];

/** Matches the part that Gemini CLI puts before the files that a user names. */
const FILES_FOLLOW = /^\s*--- Content from referenced files/;

/** Returns a request's members that have such texts, and nothing else of it. */
export function saidMembers(request: JsonObject, api: TextsName): JsonObject {
  const { system, messages } = FORMS[api];
  return Object.fromEntries(
    [...system, messages].flatMap((name) => (Object.hasOwn(request, name) ? [[name, request[name]]] : [])),
  );
}

/**
 * Visits the words of the user and of the system in a request. A message that has anything else, such as a result, has none.
 *
 * @param request those members, as parsed
 * @returns after steps of a message each: how many messages the conversation has
 */
export function* saidTexts(request: JsonObject, api: TextsName): Generator<readonly SaidText[], number> {
  const form = FORMS[api];
  for (const name of form.system) yield textsOf(request[name], form).map((text) => ({ by: 'system', text, at: -1 }));
  const conversation = request[form.messages];
  if (typeof conversation === 'string') yield said('user', [conversation], 0);
  const messages: readonly unknown[] = Array.isArray(conversation) ? conversation : [conversation];
  for (const [at, message] of messages.entries()) {
    if (!isObject(message)) continue;
    const by = form.roles.get(message['role']);
    const isSaid = by !== undefined && form.types.has(message['type']);
    yield isSaid ? said(by, textsOf(message[form.content], form), at) : [];
  }
  return messages.length;
}

function said(by: SaidText['by'], texts: readonly string[], at: number): readonly SaidText[] {
  if (by === 'system') return texts.map((text) => ({ by, text, at }));
  const files = texts.findIndex((text) => FILES_FOLLOW.test(text));
  return texts.slice(0, files === -1 ? undefined : files).flatMap((text) => {
    const typed = typedPart(text);
    return typed === '' ? [] : [{ by, text: typed, at }];
  });
}

/** The texts of a content; none if a part of it is a result, or unknown. */
function textsOf(content: unknown, form: Form): readonly string[] {
  if (content === undefined) return [];
  // Gemini's words of the system are a message of their own.
  if (isObject(content) && content[form.content] !== undefined) return textsOf(content[form.content], form);
  const found: string[] = [];
  for (const part of Array.isArray(content) ? (content as readonly unknown[]) : [content]) {
    if (typeof part === 'string') found.push(part);
    else if (!isObject(part)) return [];
    else if (isPlain(part, form)) found.push(part['text'] as string);
    else if (!isMedium(part)) return [];
  }
  return found;
}

function isPlain(part: JsonObject, { parts }: Form): boolean {
  return typeof part['text'] === 'string' && parts.has(part['type']) && Object.keys(part).every((key) => PLAIN_PART.has(key));
}

function isMedium({ type, ...part }: JsonObject): boolean {
  return typeof type === 'string' ? MEDIUM.test(type) : MEDIA.some((name) => Object.hasOwn(part, name));
}
