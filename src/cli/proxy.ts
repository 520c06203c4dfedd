import { homedir } from 'node:os';
import { join } from 'node:path';
import { nobody } from '../approval/nobody.ts';
import { JsonlSink } from '../audit/jsonl-sink.ts';
import { findPolicy, loadPolicy } from '../config/policy-file.ts';
import { compilePolicy } from '../core/policy/compile.ts';
import { Interceptor } from '../gate/interceptor.ts';
import type { GateSetup } from '../gate/ports.ts';
import { machineClock } from '../host/clock.ts';
import { type Machine, stateDirectory } from '../host/directories.ts';
import { realPath } from '../host/real-path.ts';
import { deriveServerName } from '../session/server-name.ts';
import { createSessionId } from '../session/session-id.ts';
import { openStdout } from '../transport/own-stdout.ts';
import { startServer } from '../transport/server-process.ts';
import { runStdio } from '../transport/stdio.ts';
import { defineCommand } from './command.ts';

/** `clawai proxy`: stands in front of one stdio server. A client starts one of these per server, so nothing here waits for what a call may never need. */
export const proxyCommand = defineCommand({
  meta: {
    name: 'proxy',
    description: 'Stand in front of a stdio MCP server: what the policy denies never reaches it, everything else passes untouched.',
    helpTo: 'stderr',
    notes: ['Without --server the name is taken from the command, e.g. server-filesystem.'],
    examples: ['clawai proxy --server files -- npx -y @modelcontextprotocol/server-filesystem ~/projects'],
  },
  args: {
    server: { type: 'string', hint: 'NAME', description: 'What the policy calls this server.' },
    policy: { type: 'string', hint: 'FILE', description: 'The policy that decides.' },
  },
  rest: { hint: 'CMD [ARG…]', description: 'The command that starts the server; nothing of it is read or changed.' },
  async run({ flags, rest }) {
    const machine: Machine = { env: process.env, platform: process.platform, home: homedir() };
    const found = findPolicy({ flag: flags.policy, ...machine });
    const policy = await loadPolicy(found.file);
    if (found.kind === 'shipped') warn('you have no policy, so the shipped default decides');

    const [command = '', ...args] = rest;
    const server = startServer(command, args);
    const name = flags.server ?? deriveServerName(command, args);
    const sink = new JsonlSink(join(stateDirectory(machine), 'events.jsonl'));
    const session = createSessionId(machine.env);
    const setup: GateSetup = {
      server: name,
      policy: compilePolicy(policy),
      paths: { home: machine.home, cwd: process.cwd(), platform: pathStyle(machine.platform), remote: false },
      ports: { clock: machineClock, realPath, approver: nobody, sink, session, warn },
    };
    const gate = new Interceptor(setup);
    const code = await runStdio({ server, gate, input: process.stdin, output: openStdout() });
    try {
      sink.recordSummary({ time: Date.now(), session: session(), server: name, census: gate.report() });
    } catch (error) {
      warn(`the summary of this connection could not be recorded: ${String(error)}`);
    }
    sink.close();
    return code;
  },
});

function pathStyle(platform: NodeJS.Platform): 'posix' | 'macos' | 'windows' {
  if (platform === 'win32') return 'windows';
  return platform === 'darwin' ? 'macos' : 'posix';
}

/** clawai's own words on stderr, between those of the server. */
function warn(line: string): void {
  process.stderr.write(`clawai: ${line}\n`);
}
