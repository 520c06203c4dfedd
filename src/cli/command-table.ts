import type { Command } from './command.ts';

/** One line of `clawai --help`, and how to get at the command without loading any other. */
export interface TableEntry {
  readonly name: string;
  readonly summary: string;
  /** Under which heading of `clawai --help` it stands. */
  readonly heading: Heading;
  load(): Promise<Command>;
}

export type Heading = 'set up' | 'run' | 'trust' | 'policy' | 'what happened';

/** Every command, in the order of the help text. */
export const COMMANDS: readonly TableEntry[] = [
  {
    name: 'init',
    summary: 'Write a policy and a config to start from.',
    heading: 'set up',
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'wrap',
    summary: "Put clawai in front of your clients' MCP servers.",
    heading: 'set up',
    load: async () => (await import('./wrap.ts')).wrapCommand,
  },
  {
    name: 'unwrap',
    summary: 'Take it out again, to the byte.',
    heading: 'set up',
    load: async () => (await import('./unwrap.ts')).unwrapCommand,
  },
  {
    name: 'status',
    summary: 'Show which servers are wrapped, and when last seen.',
    heading: 'set up',
    load: async () => (await import('./status.ts')).statusCommand,
  },
  {
    name: 'doctor',
    summary: 'Look for what is wrong; --live proves that it works.',
    heading: 'set up',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'proxy',
    summary: 'Stand in front of a stdio MCP server and hold the policy.',
    heading: 'run',
    load: async () => (await import('./proxy.ts')).proxyCommand,
  },
  {
    name: 'serve',
    summary: 'Stand in front of remote MCP servers and LLM providers.',
    heading: 'run',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'run',
    summary: 'Start an agent in a session, with a policy before its LLM.',
    heading: 'run',
    load: async () => (await import('./run.ts')).runCommand,
  },
  {
    name: 'demo',
    summary: 'Show an allowed and a denied call against a real server.',
    heading: 'run',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  {
    name: 'approvals',
    summary: 'Show the calls that wait for a person, and answer them.',
    heading: 'run',
    load: async () => (await import('./approvals.ts')).approvalsCommand,
  },
  {
    name: 'approve',
    summary: 'Allow a call that waits for a person.',
    heading: 'run',
    load: async () => (await import('./approve.ts')).approveCommand,
  },
  {
    name: 'deny',
    summary: 'Deny a call that waits for a person.',
    heading: 'run',
    load: async () => (await import('./deny.ts')).denyCommand,
  },
  {
    name: 'mcp registry list',
    summary: 'List what servers have declared, and what of it is trusted.',
    heading: 'trust',
    load: async () => (await import('./mcp-registry-list.ts')).mcpRegistryListCommand,
  },
  {
    name: 'mcp registry show',
    summary: 'Show one of these, and what has changed in it.',
    heading: 'trust',
    load: async () => (await import('./mcp-registry-show.ts')).mcpRegistryShowCommand,
  },
  {
    name: 'mcp approve',
    summary: 'Trust what a server declares now.',
    heading: 'trust',
    load: async () => (await import('./mcp-approve.ts')).mcpApproveCommand,
  },
  {
    name: 'mcp inspect',
    summary: 'Look for what is hidden in a definition or a result.',
    heading: 'trust',
    load: async () => (await import('./mcp-inspect.ts')).mcpInspectCommand,
  },
  {
    name: 'policy test',
    summary: 'Prove a policy against fixtures.',
    heading: 'policy',
    load: async () => (await import('./policy-test.ts')).policyTestCommand,
  },
  {
    name: 'policy check',
    summary: 'Read a policy and complain about what is wrong with it.',
    heading: 'policy',
    load: async () => (await import('./policy-check.ts')).policyCheckCommand,
  },
  {
    name: 'policy lint',
    summary: 'Find rules that never decide, or not what they seem to.',
    heading: 'policy',
    load: async () => (await import('./policy-lint.ts')).policyLintCommand,
  },
  {
    name: 'policy show',
    summary: 'Show what decides a call, and where each value comes from.',
    heading: 'policy',
    load: async () => (await import('./policy-show.ts')).policyShowCommand,
  },
  {
    name: 'policy replay',
    summary: 'Tell which calls on record another policy would flip.',
    heading: 'policy',
    load: async () => (await import('./policy-replay.ts')).policyReplayCommand,
  },
  {
    name: 'policy explain',
    summary: 'Tell why a call is decided as it is.',
    heading: 'policy',
    load: async () => (await import('./policy-explain.ts')).policyExplainCommand,
  },
  {
    name: 'policy fmt',
    summary: 'Format a policy, or say what is not formatted.',
    heading: 'policy',
    load: async () => (await import('./policy-fmt.ts')).policyFmtCommand,
  },
  {
    name: 'schema',
    summary: 'Print a JSON Schema by which editors know these files.',
    heading: 'policy',
    load: async () => (await import('./schema.ts')).schemaCommand,
  },
  {
    name: 'report',
    summary: 'Sum up a session: calls, denials, flows, changes.',
    heading: 'what happened',
    load: async () => (await import('./session-report.ts')).reportCommand,
  },
  {
    name: 'log show',
    summary: 'Tell all that is on record of one call.',
    heading: 'what happened',
    load: async () => (await import('./log-show.ts')).logShowCommand,
  },
  {
    name: 'log',
    summary: 'Print what was recorded, and follow it.',
    heading: 'what happened',
    load: async () => (await import('./log.ts')).logCommand,
  },
  {
    name: 'mcp calls',
    summary: 'List the calls that were decided.',
    heading: 'what happened',
    load: async () => (await import('./mcp-calls.ts')).mcpCallsCommand,
  },
  {
    name: 'mcp detections',
    summary: 'List what detection has found, and what became of it.',
    heading: 'what happened',
    load: async () => (await import('./mcp-detections.ts')).mcpDetectionsCommand,
  },
  {
    name: 'mcp events',
    summary: 'List everything that was recorded.',
    heading: 'what happened',
    load: async () => (await import('./mcp-events.ts')).mcpEventsCommand,
  },
  {
    name: 'audit verify',
    summary: 'Look for gaps and edits in what was recorded.',
    heading: 'what happened',
    load: async () => (await import('./audit-verify.ts')).auditVerifyCommand,
  },
  {
    name: 'audit export',
    summary: 'Print what was recorded with its hash chains.',
    heading: 'what happened',
    load: async () => (await import('./audit-export.ts')).auditExportCommand,
  },
];
