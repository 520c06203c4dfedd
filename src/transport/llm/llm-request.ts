import type { IncomingMessage } from 'node:http';
import type { DeniedLedger } from '../../gate/model/denied-ledger.ts';
import type { ModelGate } from '../../gate/model/model-gate.ts';
import type { AnswerRequest, DeniedTools, ModelApi, RequestPlace } from '../../protocol/llm/model-api.ts';
import { MARKED_NOTE, NOTE_ID } from '../../protocol/llm/note.ts';
import { checkedRequests } from '../../protocol/llm/routes/route-of.ts';

/** Most characters of a path that people are shown. */
const MOST_PATH = 200;

/** Headers by which some servers override the request's method. */
const METHOD_HEADERS = ['x-http-method-override', 'x-method-override', 'x-http-method'];

interface RepairOptions {
  readonly api: ModelApi;
  readonly denied: DeniedLedger;
  /** The parsed request. */
  readonly asked: AnswerRequest;
  readonly place: RequestPlace;
}

/** No tool has this name: a policy that denies it denies every tool of the server that none of its rules names. */
const NO_TOOL = '\0';

/**
 * Finds the tools that the provider would run by itself and the policy denies whatever their arguments: their calls would already have been
 * made when we see them. A server is denied as a whole if that holds for all its tools that the request lists and for unknown ones.
 *
 * @param api of the request
 */
export function deniedTools({ tools, mcpServers }: AnswerRequest, gate: ModelGate, api: ModelApi): DeniedTools {
  const servers = new Set<string>();
  const ofServers = new Map<string, ReadonlySet<string>>();
  for (const { name: server, allowed } of mcpServers) {
    const named = new Set(tools.filter(({ group, name }) => group === server && name !== '').map(({ name }) => name));
    const known = named.union(new Set(allowed));
    const denied = new Set([...known].filter((name) => gate.deniesTool(name, server)));
    if (denied.size === known.size && gate.deniesTool(NO_TOOL, server)) servers.add(server);
    else if (denied.size > 0) ofServers.set(server, denied);
  }
  const own = tools.filter((tool) => api.isRunByProvider(tool) && gate.deniesTool(tool.name, undefined));
  return { providerTools: new Set(own.map(({ name }) => name)), mcpServers: servers, mcpTools: ofServers };
}

/** Restores the denied calls in a request; returns the same text if there are none, which one search shows. */
export function repairRequest(text: string, { api, denied, asked, place }: RepairOptions): string {
  const { previousAnswer, results } = asked;
  const hasDenied =
    !denied.isEmpty &&
    (text.includes(MARKED_NOTE) ||
      results.some(({ id }) => denied.isDenied(id)) ||
      (previousAnswer !== undefined && denied.ofAnswer(previousAnswer).length > 0));
  // The id of a note may also be one that an earlier process gave.
  return hasDenied || text.includes(NOTE_ID) ? api.restore(text, denied, place) : text;
}

/** Returns the method of a request. If it names two, it counts as POST, which is checked most. */
export function methodOf({ method = '', headers, url = '' }: Pick<IncomingMessage, 'method' | 'headers' | 'url'>): string {
  const saysOther = METHOD_HEADERS.some((name) => headers[name] !== undefined) || /[?&](?:\$|%24)httpmethod=/i.test(url);
  return saysOther ? 'POST' : method;
}

/**
 * Explains why a request that nobody would check is refused: in short for the person who runs us, and for the client's user, with what they
 * can do.
 *
 * @param of `method`: undefined for a WebSocket; `path`: after the URL that replaces the provider's
 */
export function describeUnchecked(of: {
  readonly method: string | undefined;
  readonly path: string;
  readonly api: Pick<ModelApi, 'dialect'>;
}): { readonly told: string; readonly why: string } {
  const asked = `${of.method ?? 'a WebSocket at'} ${of.path.slice(0, MOST_PATH)}`;
  const reason = 'clawai could not see what the model calls there';
  const wayOut =
    'To go on without its guard, start the agent with clawai run --no-llm, or give it the URL of the provider itself.';
  return {
    told: `refused ${asked}: ${reason}`,
    why: `clawai refuses ${asked}: ${reason}, since it only inspects ${checkedRequests(of.api.dialect)}. ${wayOut}`,
  };
}
