import { FLOW_RULES, type FlowRuleName } from '../core/flow/finding.ts';
import type { Flow, Policy } from '../core/policy/types.ts';

/** What detection looks at, as fixtures name it. */
export const DETECTION_GUARDS = {
  definition: 'detection:definition',
  result: 'detection:result',
  request: 'detection:request',
} as const;

/**
 * The rules on flow and the rate limits that a policy has switched on, by the names that fixtures and reports use: `flow:burst`,
 * `rate_limit` for the servers that have none of their own, `rate_limit:files`, `rate_limit:files/read_file`; and what detection looks at.
 */
export function guardNames({ flow, rateLimits, detection }: Policy): readonly string[] {
  const rules = flow.enabled ? FLOW_RULES.filter((name) => ruleOf(flow, name).enabled) : [];
  const limits = rateLimits.enabled ? ['rate_limit'] : [];
  for (const [server, { limit, tools }] of rateLimits.enabled ? rateLimits.servers : []) {
    if (limit !== undefined) limits.push(`rate_limit:${server}`);
    limits.push(...[...tools.keys()].map((tool) => `rate_limit:${server}/${tool}`));
  }
  const looked = detection.enabled ? Object.values(DETECTION_GUARDS) : [];
  return [...rules.map((name) => `flow:${name}`), ...limits, ...looked];
}

function ruleOf(flow: Flow, name: FlowRuleName): { readonly enabled: boolean } {
  const rules = {
    read_then_send: flow.readThenSend,
    cross_server_flow: flow.crossServerFlow,
    burst: flow.burst,
    shadow_tool: flow.shadowTool,
  };
  return rules[name];
}
