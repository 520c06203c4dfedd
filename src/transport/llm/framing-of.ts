import type { IncomingHttpHeaders } from 'node:http';
import type { Framing } from '../../protocol/llm/framing.ts';
import type { ModelApi } from '../../protocol/llm/model-api.ts';

/** How an answer is streamed; undefined where it is whole. @param path of the request, with any query */
export function framingOf(
  { headers }: { readonly headers: IncomingHttpHeaders },
  { api, path }: { readonly api: Pick<ModelApi, 'isArrayStream'>; readonly path: string },
): Framing | undefined {
  const type = headers['content-type'] ?? '';
  if (/^text\/event-stream\s*(?:;|$)/i.test(type)) return 'sse';
  const isJson = /^application\/json\s*(?:;|$)/i.test(type);
  return isJson && api.isArrayStream?.(path.split('?', 1)[0] ?? '') === true ? 'json_array' : undefined;
}
