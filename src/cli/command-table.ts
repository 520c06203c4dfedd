import type { Command, TableEntry } from './command.ts';

const SHOWN: readonly TableEntry[] = [
  {
    name: 'init',
    summary: 'Write a policy and a config to start from.',
    heading: 'start here',
    load: async () => (await import('./init/init.ts')).initCommand,
  },
  {
    name: 'wrap',
    summary: "Put clawai in front of your clients' MCP servers.",
    heading: 'start here',
    load: async () => (await import('./wrap/wrap.ts')).wrapCommand,
  },
  {
    name: 'unwrap',
    summary: 'Take it out again, to the byte.',
    heading: 'start here',
    load: async () => (await import('./wrap/unwrap.ts')).unwrapCommand,
  },
  {
    name: 'status',
    summary: 'Show which servers are wrapped, and when last seen.',
    heading: 'start here',
    load: async () => (await import('./wrap/status.ts')).statusCommand,
  },
  {
    name: 'doctor',
    summary: 'Look for what is wrong; --live proves that it works.',
    heading: 'start here',
    load: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  },
  {
    name: 'demo',
    summary: 'Show an allowed and a denied call against a real server.',
    heading: 'start here',
    load: async () => (await import('./demo/demo.ts')).demoCommand,
  },
  {
    name: 'approvals',
    summary: 'Show what waits for you, and answer it.',
    heading: 'every day',
    load: async () => (await import('./approvals/approvals.ts')).approvalsCommand,
  },
  {
    name: 'approve',
    summary: 'Allow a call that waits, or trust what a server declares.',
    heading: 'every day',
    load: async () => (await import('./approvals/approve.ts')).approveCommand,
  },
  {
    name: 'deny',
    summary: 'Deny a call that waits.',
    heading: 'every day',
    load: async () => (await import('./approvals/approve.ts')).denyCommand,
  },
  {
    name: 'log',
    summary: 'Print what was recorded; -f follows.',
    heading: 'every day',
    load: async () => (await import('./log/log.ts')).logCommand,
  },
  {
    name: 'log show',
    summary: 'Tell all that is on record of one call.',
    heading: 'every day',
    load: async () => (await import('./log/log-show.ts')).logShowCommand,
  },
  {
    name: 'log verify',
    summary: 'Look for gaps and edits in what was recorded.',
    heading: 'every day',
    load: async () => (await import('./log/log-verify.ts')).logVerifyCommand,
  },
  {
    name: 'log export',
    summary: 'Print what was recorded with its hash chains.',
    heading: 'every day',
    load: async () => (await import('./log/log-export.ts')).logExportCommand,
  },
  {
    name: 'report',
    summary: 'Sum up a session: calls, denials, flows, changes.',
    heading: 'every day',
    load: async () => (await import('./report/report-command.ts')).reportCommand,
  },
  {
    name: 'policy test',
    summary: 'Prove a policy against fixtures.',
    heading: 'policy and trust',
    load: async () => (await import('./policy/test/policy-test.ts')).policyTestCommand,
  },
  {
    name: 'policy lint',
    summary: 'Find mistakes, and rules that never decide, or not what they seem to.',
    heading: 'policy and trust',
    load: async () => (await import('./policy/lint/policy-lint.ts')).policyLintCommand,
  },
  {
    name: 'policy explain',
    summary: 'Tell why a call is decided as it is.',
    heading: 'policy and trust',
    load: async () => (await import('./policy/explain/policy-explain.ts')).policyExplainCommand,
  },
  {
    name: 'policy show',
    summary: 'Show what decides a call, and where each value comes from.',
    heading: 'policy and trust',
    load: async () => (await import('./policy/show/policy-show.ts')).policyShowCommand,
  },
  {
    name: 'policy replay',
    summary: 'Tell which calls on record another policy would flip.',
    heading: 'policy and trust',
    load: async () => (await import('./policy/replay/policy-replay.ts')).policyReplayCommand,
  },
  {
    name: 'policy fmt',
    summary: 'Format a policy, or say what is not formatted.',
    heading: 'policy and trust',
    load: async () => (await import('./policy/policy-fmt.ts')).policyFmtCommand,
  },
  {
    name: 'policy schema',
    summary: 'Print a JSON Schema by which editors know these files.',
    heading: 'policy and trust',
    load: async () => (await import('./policy/policy-schema.ts')).policySchemaCommand,
  },
  {
    name: 'mcp registry list',
    summary: 'List what servers have declared, and what of it is trusted.',
    heading: 'policy and trust',
    load: async () => (await import('./mcp/registry/mcp-registry-list.ts')).mcpRegistryListCommand,
  },
  {
    name: 'mcp registry show',
    summary: 'Show one of these, and what has changed in it.',
    heading: 'policy and trust',
    load: async () => (await import('./mcp/registry/mcp-registry-show.ts')).mcpRegistryShowCommand,
  },
  {
    name: 'mcp inspect',
    summary: 'Look for what is hidden in a definition or a result.',
    heading: 'policy and trust',
    load: async () => (await import('./mcp/inspect/mcp-inspect.ts')).mcpInspectCommand,
  },
  {
    name: 'mcp approve',
    summary: 'The same as clawai approve SERVER:NAME.',
    heading: 'policy and trust',
    load: async () => (await import('./mcp/registry/mcp-approve.ts')).mcpApproveCommand,
  },
  {
    name: 'mcp calls',
    summary: 'The same as clawai log --calls.',
    heading: 'policy and trust',
    load: async () => (await import('./log/mcp-views.ts')).mcpCallsCommand,
  },
  {
    name: 'mcp detections',
    summary: 'The same as clawai log --detections.',
    heading: 'policy and trust',
    load: async () => (await import('./log/mcp-views.ts')).mcpDetectionsCommand,
  },
  {
    name: 'mcp events',
    summary: 'The same as clawai log --verbose, as a table.',
    heading: 'policy and trust',
    load: async () => (await import('./log/mcp-views.ts')).mcpEventsCommand,
  },
  {
    name: 'run',
    summary: 'Start an agent in a session, with a policy before its LLM.',
    heading: 'run',
    load: async () => (await import('./run/run.ts')).runCommand,
  },
  {
    name: 'serve',
    summary: 'Stand in front of remote MCP servers and LLM providers.',
    heading: 'run',
    load: async () => (await import('./serve/serve-command.ts')).serveCommand,
  },
  {
    name: 'proxy',
    summary: 'Stand in front of one stdio MCP server, as wrap sets it up.',
    heading: 'run',
    load: async () => (await import('./proxy/proxy.ts')).proxyCommand,
  },
  {
    name: 'version',
    summary: 'Print the version, and which policy and store are in use.',
    heading: 'clawai itself',
    load: async () => (await import('./version-command.ts')).versionCommand,
  },
  {
    name: 'completion',
    summary: 'Print what makes a shell complete commands and flags.',
    heading: 'clawai itself',
    load: async () => (await import('./completion/completion.ts')).completionOf(COMMANDS),
  },
];

/** Names of before, which stay for scripts and are shown nowhere, and the commands that took their place. */
const OLD_NAMES = {
  'policy check': 'policy lint',
  schema: 'policy schema',
  'audit verify': 'log verify',
  'audit export': 'log export',
} as const;

/** Every command, in the order of the help text, and each old name, which is the same command; `policy check` only reads the policy, as scripts expect. */
export const COMMANDS: readonly TableEntry[] = [
  ...SHOWN,
  ...Object.entries(OLD_NAMES).flatMap(([name, movedTo]) => {
    const entry = SHOWN.find((each) => each.name === movedTo);
    if (entry === undefined) return [];
    return name === 'policy check' ? { ...entry, name, movedTo, load: loadPolicyCheck } : { ...entry, name, movedTo };
  }),
];

async function loadPolicyCheck(): Promise<Command> {
  return (await import('./policy/lint/policy-check.ts')).policyCheckCommand;
}
