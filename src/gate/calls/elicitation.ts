import { randomBytes } from 'node:crypto';
import type { Decision } from '../../core/decision.ts';
import { askedFlows } from '../../core/flow/words.ts';
import { isJsonObject, type JsonValue } from '../../core/json.ts';
import { type IdKey, idKey } from '../messages/id-key.ts';
import type { AskByClient, GivenAnswer, Question } from '../ports/approval-port.ts';

/** The first revision whose clients can be asked (MCP 2025-06-18, elicitation). */
const SINCE = '2025-06-18';

/** Most characters of a question's text: nobody reads more in a small window, and nobody may say yes to what was not shown. */
const MOST_TEXT = 4000;

const ALLOW = 'allow once';

const SCHEMA = {
  type: 'object',
  properties: { decision: { type: 'string', title: 'Your decision', enum: ['deny', ALLOW] } },
  required: ['decision'],
} as const;

/** The client of a connection, as far as it can be asked. */
export interface ElicitedClient {
  /** The way to the client, outside of all answers; undefined if there is none now. */
  readonly way: ((line: string) => void) | undefined;
  /** The revision that client and server agreed on. */
  readonly revision: string | undefined;
}

/**
 * Asks the user through the client, besides the other channels: a form of the client's own (`elicitation/create`). This is the weaker
 * channel, since a project can make a client answer by itself. Only calls that a rule or the default asks about are asked this way.
 */
export class Elicitation {
  readonly #client: () => ElicitedClient;
  /** True if the client said that it can show forms. */
  #isOffered = false;
  /** The questions that the client has, by the key of their id. */
  readonly #open = new Map<IdKey, (state: GivenAnswer['state']) => void>();

  constructor(client: () => ElicitedClient) {
    this.#client = client;
  }

  /** Notes what a client says of itself in its greeting. */
  note(capabilities: JsonValue | undefined): void {
    const offered = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined;
    // An empty object means forms; later clients name what they can show.
    this.#isOffered = isJsonObject(offered) && (Object.keys(offered).length === 0 || isJsonObject(offered['form']));
  }

  /** Asks the client; undefined if it can't be asked, or not about this. */
  readonly ask: AskByClient = (question, decision, answer) => {
    const { way, revision = '' } = this.#client();
    if (!this.#isOffered || way === undefined || revision < SINCE || needsPerson(decision)) return undefined;
    const message = wordsOf(question);
    if (message === undefined) return undefined;
    // Nobody but the client ever sees the id, so no server can use it first.
    const id = JSON.stringify(`clawai-${randomBytes(16).toString('hex')}`);
    const key = idKey(id);
    this.#open.set(key, answer);
    const params = JSON.stringify({ message, requestedSchema: SCHEMA });
    way(`{"jsonrpc":"2.0","id":${id},"method":"elicitation/create","params":${params}}\n`);
    return () => {
      if (!this.#open.delete(key)) return;
      const cancelled = JSON.stringify({ requestId: JSON.parse(id) as string, reason: 'it was answered, or is over' });
      this.#client().way?.(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${cancelled}}\n`);
    };
  };

  /** Tells whether a message of the client's answers a question of ours. */
  isAnswer(key: IdKey | undefined): key is IdKey {
    return key !== undefined && this.#open.has(key);
  }

  /**
   * Takes the client's answer. A no counts, and a yes in our own words; anything else leaves the question to the other channels.
   *
   * @param result undefined for an error
   */
  take(key: IdKey, result: JsonValue | undefined): void {
    const answer = this.#open.get(key);
    this.#open.delete(key);
    if (!isJsonObject(result)) return;
    const { action, content } = result;
    const decision = isJsonObject(content) ? content['decision'] : undefined;
    if (action === 'decline' || (action === 'accept' && decision === 'deny')) answer?.('refused');
    else if (action === 'accept' && decision === ALLOW) answer?.('granted');
  }
}

/** Tells whether only a person at a terminal of their own may say yes: guards ask about what may be an attack. */
function needsPerson(decision: Pick<Decision, 'action' | 'reason' | 'rule' | 'distrust' | 'flow'>): boolean {
  const { reason, rule, distrust } = decision;
  const isRules = reason === 'rule' || reason === 'default';
  return !isRules || rule?.requirePerson === true || distrust !== undefined || askedFlows(decision).length > 0;
}

/** The text of a question; undefined if not all of it can be shown. */
function wordsOf({
  id,
  server,
  method,
  tool,
  resource,
  prompt,
  args,
  argsLength,
  extra,
  rule,
  description,
}: Question): string | undefined {
  if (args !== undefined && args.length < argsLength) return undefined;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['server', quote(server)],
    ['method', tool === undefined ? quote(method) : undefined],
    ['tool', tool === undefined ? undefined : quote(tool)],
    ['resource', resource === undefined ? undefined : quote(resource)],
    ['prompt', prompt === undefined ? undefined : quote(prompt)],
    ['arguments', args === undefined ? undefined : escapeUnseen(args)],
    ['sent besides', extra === undefined ? undefined : escapeUnseen(extra)],
    ['rule', rule === undefined ? undefined : quote(rule)],
    ['why', description === undefined ? undefined : quote(description)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const text = `clawai asks, not the server: may the agent make this call? (request ${id})\n\n${lines.join('\n')}`;
  return text.length > MOST_TEXT ? undefined : text;
}

function quote(text: string): string {
  return escapeUnseen(JSON.stringify(text));
}

/** Escapes what could hide or steer text; JSON may have any character so. */
function escapeUnseen(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
