import { createSecretFinder, SECRET_GROUPS } from '../../../core/dlp/find-secrets.ts';
import { type JsonValue, isJsonObject, type JsonObject } from '../../../core/json.ts';
import { CountedSecrets } from '../../../core/outgoing/counted-secrets.ts';
import { findDisguised } from '../../../core/outgoing/find-disguised.ts';
import { compileGlob } from '../../../core/patterns/glob.ts';
import type { Dlp } from '../../../core/policy/parse-dlp.ts';
import type { ModelStream, StreamOptions } from '../../../protocol/llm/dialect.ts';
import { anthropicTexts } from '../../../protocol/llm/anthropic/texts.ts';
import { geminiTexts } from '../../../protocol/llm/gemini/texts.ts';
import type { AnswerPlace, TextsName } from '../../../protocol/llm/model-api.ts';
import { chatTexts } from '../../../protocol/llm/openai/chat/texts.ts';
import { responsesTexts } from '../../../protocol/llm/openai/responses/texts.ts';
import type { CallName, ModelTexts } from '../../../protocol/llm/texts/shape.ts';
import type { ModelRequest } from '../call-targets.ts';
import type { UnknownTokensRecord } from '../../ports/records.ts';
import { AnswerRestorer } from './answer-restorer.ts';
import { RequestSecrets } from './request-secrets.ts';
import { RestoredStream } from './restored-stream.ts';
import { SessionTokens } from './session-tokens.ts';
import { TokenRestorer } from './token-restorer.ts';

/** The places of texts in each API. */
export const TEXTS: Readonly<Record<TextsName, ModelTexts>> = {
  anthropic: anthropicTexts,
  chat: chatTexts,
  responses: responsesTexts,
  gemini: geminiTexts,
};

/** Restores the tokens in one answer. */
export interface AnswerSecrets {
  /** @returns the same text if nothing in it is restored */
  restoreAnswer(text: string, place: AnswerPlace): string;
  createStream(options: StreamOptions): ModelStream;
  /** Replaces restored secrets by their tokens, for the record. */
  readonly hide: ModelRequest['hide'];
  /** Call it when the answer has ended. */
  report(): void;
}

interface AnswerParts {
  readonly texts: TextsName;
  readonly createStream: (options: StreamOptions) => ModelStream;
  readonly serversOf: (call: CallName) => readonly string[];
  readonly report: (problem: UnknownTokensRecord['problem'], count: number) => void;
}

/** Everything that a policy needs to look for secrets. */
export interface LoadedSearch {
  readonly requests: RequestSecrets;
  readonly texts: typeof TEXTS;
  readonly tokens: SessionTokens;
  restorer(parts: AnswerParts): AnswerSecrets;
}

/** @param options `tokens`: those of the session so far; `key`: its key otherwise */
export function createSearch({
  dlp,
  tokens: known,
  key,
}: {
  readonly dlp: Dlp;
  readonly tokens: SessionTokens | undefined;
  readonly key: () => Uint8Array;
}): LoadedSearch {
  const tokens = known ?? new SessionTokens(key());
  const finder = createSecretFinder(dlp);
  const counted = new CountedSecrets(finder);
  const own = createSecretFinder({ ...dlp, ...NO_GROUPS });
  const globs = dlp.restoreTo.map((glob) => compileGlob(glob));
  const isTrusted = (server: string): boolean => globs.some((glob) => glob.matches(server));
  return {
    requests: new RequestSecrets({
      mode: dlp.onRequest,
      find: (text, name) => finder.find(text, name),
      findDisguised: (text, kindOf) => findDisguised(text, { counted, known: kindOf }),
      findOwn: (text) => own.find(text),
      tokens,
    }),
    tokens,
    texts: TEXTS,
    restorer({ texts, createStream, serversOf, report }) {
      const restorer = new TokenRestorer(tokens);
      const mayRestore = (call: CallName): boolean => {
        const servers = serversOf(call);
        return servers.length > 0 && servers.every(isTrusted);
      };
      const answer = new AnswerRestorer({
        texts: TEXTS[texts],
        restorer,
        mayRestore: globs.length === 0 ? undefined : mayRestore,
      });
      return {
        restoreAnswer: (text, place) => answer.restoreAnswer(text, place),
        createStream: (options) => new RestoredStream(createStream(options), answer, options),
        hide: globs.length === 0 ? undefined : (args) => hideRestored(args, tokens),
        report() {
          const { unknown, miswritten } = restorer.unknown;
          if (unknown > 0) report('unknown', unknown);
          if (miswritten > 0) report('miswritten', miswritten);
        },
      };
    },
  };
}

/** Switches all groups of kinds off. */
const NO_GROUPS = Object.fromEntries(SECRET_GROUPS.map((group) => [group, false])) as Record<
  (typeof SECRET_GROUPS)[number],
  false
>;

/** Replaces restored secrets in a call's arguments by their tokens. Returns the same value if there are none. */
function hideRestored(args: JsonObject, tokens: SessionTokens): JsonObject {
  const { restored } = tokens;
  let isChanged = false;
  const hide = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') {
      let text = value;
      for (const [token, { forms }] of restored)
        for (const form of forms) if (text.includes(form)) text = text.replaceAll(form, () => token);
      isChanged ||= text !== value;
      return text;
    }
    if (Array.isArray(value)) return value.map(hide);
    return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hide(member)])) : value;
  };
  const hidden = hide(args);
  return isChanged && isJsonObject(hidden) ? hidden : args;
}
