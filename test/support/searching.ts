import type { AnswerSecrets } from '../../src/gate/model/secrets/load-search.ts';
import { createSearch, type LoadedSearch } from '../../src/gate/model/secrets/load-search.ts';
import type { ModelApi } from '../../src/protocol/llm/model-api.ts';
import { policyFrom } from './policy.ts';

export const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

/** The search of a session, by the lines of `[dlp]`. */
export function searching(dlp = 'on_request = "tokenize"', key = 1): LoadedSearch {
  const policy = policyFrom(`[dlp]\n${dlp}\n`);
  return createSearch({ dlp: policy.dlp, tokens: undefined, key: () => Buffer.alloc(32, key) });
}

/** Restores the answers of an API in such a session. @param servers those that every call may be for */
export async function restoring(
  search: LoadedSearch,
  api: ModelApi,
  { servers = [], reported = [] }: { readonly servers?: readonly string[]; readonly reported?: unknown[] } = {},
): Promise<AnswerSecrets> {
  return search.restorer({
    texts: api.texts,
    createStream: (options) => api.createStream(options),
    serversOf: () => servers,
    report: (problem, count) => reported.push([problem, count]),
  });
}
