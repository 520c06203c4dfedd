import type { Call } from '../core/call.ts';
import { exactJson } from '../core/canonical-json.ts';
import type { JsonObject } from '../core/json.ts';

/** A fixture that expects a remembered rule to decide, as JSON text. Undefined for methods whose params fixtures can't tell. */
export function toRememberedFixture(call: Call, { action, id }: { action: 'allow' | 'deny'; id: string }): string | undefined {
  const params = paramsOf(call);
  if (params === undefined) return undefined;
  const fields: JsonObject = {
    name: id,
    server: call.server,
    method: call.method,
    params,
    expected: action,
    expectedRule: id,
  };
  const lines = Object.entries(fields).map(([key, value]) => `  ${JSON.stringify(key)}: ${exactJson(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** As the client would send them. */
function paramsOf({ method, tool, resource, prompt, args }: Call): JsonObject | undefined {
  const sent: JsonObject = args === undefined ? {} : { arguments: args };
  if (method === 'tools/call' && tool !== undefined) return { name: tool, ...sent };
  if (method === 'prompts/get' && prompt !== undefined) return { name: prompt, ...sent };
  const isAboutResource = method === 'resources/read' || method === 'resources/subscribe';
  return isAboutResource && resource !== undefined ? { uri: resource } : undefined;
}
