import type { IncomingMessage } from 'node:http';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import { lookedAt } from '../../protocol/llm/routes/route-of.ts';

/** Characters of a path that people are told. */
const MOST_PATH = 200;

/** What says another method than the one of the request, to servers that go by it. */
const METHOD_HEADERS = ['x-http-method-override', 'x-method-override', 'x-http-method'];

/** The method of a request. One that says two counts as what is looked at most. */
export function methodOf({ method = '', headers, url = '' }: Pick<IncomingMessage, 'method' | 'headers' | 'url'>): string {
  const saysOther = METHOD_HEADERS.some((name) => headers[name] !== undefined) || /[?&](?:\$|%24)httpmethod=/i.test(url);
  return saysOther ? 'POST' : method;
}

/**
 * Why a request is refused that nobody would look at: in short, for whoever runs us, and for the client's own person, with what they can do.
 *
 * @param of `method`: undefined for a WebSocket; `path`: behind the URL that takes the provider's place
 */
export function describeUnlooked(of: {
  readonly method: string | undefined;
  readonly path: string;
  readonly api: Pick<ModelApi, 'dialect'>;
}): { readonly told: string; readonly why: string } {
  const asked = `${of.method ?? 'a WebSocket at'} ${of.path.slice(0, MOST_PATH)}`;
  const reason = 'nobody would see what the model calls there';
  const wayOut =
    'To go on without its guard, start the agent with clawai run --no-llm, or give it the URL of the provider itself.';
  return {
    told: `refused ${asked}: ${reason}`,
    why: `clawai refuses ${asked}: ${reason}, since it only looks at ${lookedAt(of.api.dialect)}. ${wayOut}`,
  };
}
