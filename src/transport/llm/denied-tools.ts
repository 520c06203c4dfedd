import type { ModelGate } from '../../gate/model-gate.ts';
import type { AnswerRequest, DeniedTools, ModelApi } from '../../protocol/llm/model-api.ts';

/** No tool is called so: a policy that denies it denies every tool of the server that no rule of its knows. */
const NO_TOOL = '\0';

/**
 * What the provider would run by itself and the policy denies whatever the arguments are: its calls have been made by the time they are seen.
 * A server is denied as a whole where that is so for all its tools, as far as the request lists them; which it has besides, nobody knows.
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
