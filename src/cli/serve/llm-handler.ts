import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '../../transport/http/refuse.ts';
import type { Target } from '../../transport/http/target.ts';
import type { LlmRoutes } from './llm-routes.ts';

/** Parts of a path in front of the one that is the provider's: the empty one, `llm`, name and secret. */
const OURS = 4;

/** Takes a request to `/llm/NAME/SECRET…`. What follows goes to the provider as it was sent. */
export function handleLlm(
  routes: LlmRoutes,
  {
    request,
    response,
    target,
  }: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly target: Target },
): void {
  const [, name = '', secret = ''] = target.segments;
  const route = routes.find(name, secret);
  if (route === undefined) {
    refuse(response, 404, 'there is no such LLM provider here: clawai status --json shows the URLs that there are');
    return;
  }
  const rest = target.path
    .split('/')
    .slice(OURS)
    .map((part) => `/${part}`)
    .join('');
  route.handle(request, response, { rest, query: target.query });
}
