import type { Command, Heading, TableEntry } from './command.ts';

/** A command's summary for an overview, and its loader. */
type Line = readonly [summary: string, load: TableEntry['load']];

function under(heading: Heading, lines: Readonly<Record<string, Line>>): readonly TableEntry[] {
  return Object.entries(lines).map(([name, [summary, load]]) => ({ name, summary, heading, load }));
}

const SHOWN: readonly TableEntry[] = [
  ...under('start here', {
    init: ['Write a policy and a config to start from.', async () => (await import('./init/init.ts')).initCommand],
    wrap: ["Put clawai in front of your clients' MCP servers.", async () => (await import('./wrap/wrap.ts')).wrapCommand],
    unwrap: ['Restore the configs, byte for byte.', async () => (await import('./wrap/unwrap.ts')).unwrapCommand],
    status: ['Show which servers are wrapped, and when last seen.', async () => (await import('./wrap/status.ts')).statusCommand],
    doctor: ['Find what is wrong; --live proves that it works.', async () => (await import('./doctor/doctor.ts')).doctorCommand],
    scan: ['Look at every server of every client, and say what to do.', async () => (await import('./scan/scan.ts')).scanCommand],
    demo: ['Show an allowed and a denied call against a real server.', async () => (await import('./demo/demo.ts')).demoCommand],
  }),
  ...under('every day', {
    approvals: [
      'Show what waits for you, and answer it.',
      async () => (await import('./approvals/approvals.ts')).approvalsCommand,
    ],
    approve: [
      'Allow a call that waits, or trust what a server declares.',
      async () => (await import('./approvals/approve.ts')).approveCommand,
    ],
    deny: ['Deny a call that waits.', async () => (await import('./approvals/approve.ts')).denyCommand],
    dashboard: [
      'Show what happens in the browser, and answer there.',
      async () => (await import('./dashboard/dashboard.ts')).dashboardCommand,
    ],
    log: ['Print what was recorded; -f follows.', async () => (await import('./log/log.ts')).logCommand],
    'log show': ['Print everything on record about one call.', async () => (await import('./log/log-show.ts')).logShowCommand],
    'log verify': ['Check the log for gaps and edits.', async () => (await import('./log/log-verify.ts')).logVerifyCommand],
    'log export': ['Print the log with its hash chains.', async () => (await import('./log/log-export.ts')).logExportCommand],
    report: [
      'Sum up a session: calls, denials, flows, changes.',
      async () => (await import('./report/report-command.ts')).reportCommand,
    ],
  }),
  ...under('policy and trust', {
    'policy test': ['Test a policy with fixtures.', async () => (await import('./policy/test/policy-test.ts')).policyTestCommand],
    'policy lint': [
      'Find errors, and rules that do not do what they seem to.',
      async () => (await import('./policy/lint/policy-lint.ts')).policyLintCommand,
    ],
    'policy explain': [
      'Explain why a call is allowed or denied.',
      async () => (await import('./policy/explain/policy-explain.ts')).policyExplainCommand,
    ],
    'policy show': [
      'Show what decides a call, and where each value comes from.',
      async () => (await import('./policy/show/policy-show.ts')).policyShowCommand,
    ],
    'policy replay': [
      'List recorded calls that another policy would decide otherwise.',
      async () => (await import('./policy/replay/policy-replay.ts')).policyReplayCommand,
    ],
    'policy fmt': [
      'Format a policy, or check its format.',
      async () => (await import('./policy/policy-fmt.ts')).policyFmtCommand,
    ],
    'policy schema': [
      'Print a JSON Schema of these files, for editors.',
      async () => (await import('./policy/policy-schema.ts')).policySchemaCommand,
    ],
    'dlp test': ['Show what counts as a secret in a file.', async () => (await import('./dlp/dlp-test.ts')).dlpTestCommand],
    'mcp registry list': [
      'List what servers have declared, and whether it is trusted.',
      async () => (await import('./mcp/registry/mcp-registry-list.ts')).mcpRegistryListCommand,
    ],
    'mcp registry show': [
      'Show one definition, and what has changed in it.',
      async () => (await import('./mcp/registry/mcp-registry-show.ts')).mcpRegistryShowCommand,
    ],
    'mcp inspect': [
      'Find hidden instructions in a definition or a result.',
      async () => (await import('./mcp/inspect/mcp-inspect.ts')).mcpInspectCommand,
    ],
    'mcp approve': [
      'The same as clawai approve SERVER:NAME.',
      async () => (await import('./mcp/registry/mcp-approve.ts')).mcpApproveCommand,
    ],
    'mcp calls': ['The same as clawai log --calls.', async () => (await import('./log/log.ts')).mcpCallsCommand],
    'mcp detections': ['The same as clawai log --detections.', async () => (await import('./log/log.ts')).mcpDetectionsCommand],
    'mcp events': ['The same as clawai log --verbose, as a table.', async () => (await import('./log/log.ts')).mcpEventsCommand],
  }),
  ...under('run, and clawai itself', {
    run: ['Start an agent in a session, and check its LLM.', async () => (await import('./run/run.ts')).runCommand],
    serve: [
      'Stand in front of remote MCP servers and LLM providers.',
      async () => (await import('./serve/serve-command.ts')).serveCommand,
    ],
    'service install': [
      'Start clawai serve now, and whenever you log in.',
      async () => (await import('./serve/autostart/autostart-commands.ts')).installServiceCommand,
    ],
    'service uninstall': [
      'Stop it, and do not start it at login.',
      async () => (await import('./serve/autostart/autostart-commands.ts')).uninstallServiceCommand,
    ],
    'service status': [
      'Show whether it starts at login, and runs.',
      async () => (await import('./serve/autostart/autostart-commands.ts')).serviceStatusCommand,
    ],
    'service notify': [
      'Send to your webhooks; starts by itself, --test tries them.',
      async () => (await import('./notify/notify.ts')).notifyCommand,
    ],
    login: ['Log in to a remote server; clawai keeps the tokens.', async () => (await import('./login/login.ts')).loginCommand],
    logout: ['Forget such a login.', async () => (await import('./login/logout.ts')).logoutCommand],
    proxy: [
      'Stand in front of one stdio MCP server; wrap sets it up.',
      async () => (await import('./proxy/proxy.ts')).proxyCommand,
    ],
    hook: [
      "Decide a call of an agent's own tool, as its client's hook.",
      async () => (await import('./hook/hook.ts')).hookCommand,
    ],
    version: [
      'Print the version, and which policy and store are in use.',
      async () => (await import('./machine/version-command.ts')).versionCommand,
    ],
    completion: [
      'Print a script for shell completion.',
      async () => (await import('./completion/completion.ts')).completionOf(COMMANDS),
    ],
  }),
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
