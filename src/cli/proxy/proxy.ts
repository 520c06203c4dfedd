import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import { findPolicy } from '../../config/policy-file.ts';
import { loadStartPolicy } from '../../config/start-policy.ts';
import { startServer } from '../../transport/stdio/child-process.ts';
import { defineCommand, usageError } from '../command.ts';

/**
 * `clawai proxy`: stands in front of one stdio server.
 *
 * A client starts one proxy per server and waits for all of them, so little happens before the server starts: only the policy and the
 * config are read, since an invalid one must start nothing. Everything else is loaded while the server starts.
 */
export const proxyCommand = defineCommand({
  meta: {
    name: 'proxy',
    description:
      'Stand in front of a stdio MCP server. What the policy denies never reaches it; everything else passes unchanged.',
    stdoutIs: 'protocol',
    notes: [
      'Without --server, the name comes from the command, such as server-filesystem.',
      'With --url, a client that starts processes only reaches a remote server. A server of [[servers]] in the config with that URL gets the headers there, and the name; one to which clawai logs in gets its token.',
    ],
    exitCodes: { 0: "the server's own, whatever it is", 2: 'it could not be started' },
    examples: [
      'clawai proxy --server files -- npx -y @modelcontextprotocol/server-filesystem ~/projects',
      'clawai proxy --server docs --url https://mcp.example.com/mcp',
    ],
  },
  args: {
    server: { type: 'string', hint: 'NAME', description: 'The name of this server in the policy.' },
    url: { type: 'string', hint: 'URL', description: 'A remote server in place of a command: streamable HTTP or HTTP+SSE.' },
    policy: { type: 'string', hint: 'FILE', description: 'The policy that decides.' },
    config: { type: 'string', hint: 'FILE', description: 'The config: limits, the store, and what is recorded.' },
    'modern-only': {
      type: 'boolean',
      description: 'The client speaks no MCP before 2026-07-28, and does not fall back to what an older server speaks.',
    },
    observe: { type: 'boolean', description: 'Decide and record, but let everything pass.' },
  },
  rest: {
    hint: 'CMD [ARG…]',
    what: "the server's command",
    description: 'The command that starts the server. It is passed on unchanged.',
    isOptional: true,
  },
  async run({ flags, rest }) {
    const { url } = flags;
    if (url !== undefined && rest.length > 0) throw usageError('--url and a command are two servers', 'give one of them');
    if (url === undefined && rest.length === 0)
      throw usageError('-- CMD [ARG…] is missing', 'write clawai proxy -- CMD [ARG…], or --url URL for a remote server');
    const machine = { env: process.env, platform: process.platform, home: homedir() };
    const found = findPolicy({ flag: flags.policy, ...machine });
    const config = await loadConfig({ flag: flags.config, ...machine });
    const place = { cwd: process.cwd(), home: machine.home };
    const start = await loadStartPolicy({ found, stateDir: config.stateDir, place });
    const [command = '', ...args] = rest;
    const remote = url === undefined ? undefined : (await import('./start-remote.ts')).startRemoteServer(url, config, warn);
    const server = remote?.server ?? startServer(command, args);
    // A failed start may be known before the import ends; `guardConnection` reports it, and until then it is no unhandled rejection.
    server.exited.catch(() => {});
    const { guardConnection } = await import('./proxy-connection.ts');
    const isObserving = flags.observe || config.mode === 'observe';
    if (isObserving) warn('only observing: every call is decided and recorded, and none is denied');
    if (start.kind === 'shipped') warn(`there is no policy at ${start.file}, so the shipped default decides`);
    try {
      return await guardConnection({
        server,
        launch: url === undefined ? [command, ...args] : url,
        name: flags.server ?? remote?.name,
        start,
        config,
        isObserving,
        isModernOnly: flags['modern-only'],
        warn,
      });
    } catch (error) {
      // No server may run without a gate, and this one would keep the process from ending.
      server.signal('SIGKILL');
      throw error;
    }
  },
});

/** Writes a line of ours to stderr, which the server shares. */
function warn(line: string): void {
  process.stderr.write(`clawai: ${line}\n`);
}
