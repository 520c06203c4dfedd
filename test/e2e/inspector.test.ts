/** @module-tag long */
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startEverything } from '../support/http-server.ts';
import { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';
import { Serving } from '../support/serving.ts';

const INSPECTOR = resolve('node_modules', '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js');

const POLICY = `
[defaults]
action = "allow"

[[rule]]
id = "forbidden"
action = "deny"
tool = "forbidden"

[[rule]]
id = "secret"
action = "deny"
resource = "doc://secret"
`;

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

const ERAS = ['legacy', 'modern'] as const;

// Exit codes of the Inspector: 0 is a result, 5 a result with isError, 1 a JSON-RPC error.
it.each(
  ERAS.flatMap((era) => [
    { era, what: 'an allowed call', args: ['tools/call', '--tool-name', 'shout', '--tool-arg', 'text=hi'], code: 0, says: 'HI' },
    {
      era,
      what: 'a denied call',
      args: ['tools/call', '--tool-name', 'forbidden', '--tool-arg', 'text=hi'],
      code: 5,
      says: 'clawai denied the tool call',
    },
    {
      era,
      what: 'a denied resource',
      args: ['resources/read', '--uri', 'doc://secret'],
      code: 1,
      says: 'clawai denied reading the resource',
    },
  ]),
)('the Inspector, $era era: $what ends it with $code', async ({ era, args, code, says }) => {
  const proxy = sandbox.command(
    'proxy',
    '--policy',
    sandbox.write('policy.toml', POLICY),
    '--',
    process.execPath,
    support('dual-era-server.mjs'),
  );
  const options = ['--cli', '--format', 'json', '--protocol-era', era, '--method', ...args];
  const inspector = new Running([process.execPath, INSPECTOR, ...options, '--', ...proxy], {
    env: sandbox.env,
    cwd: sandbox.folder,
  });
  const ended = await inspector.close();
  expect({ code: ended.code, text: ended.stdout + ended.stderr }).toEqual({ code, text: expect.stringContaining(says) });
});

it.each([
  { transport: 'sse', args: ['tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hi'], code: 0, says: 'Echo: hi' },
  { transport: 'sse', args: ['tools/call', '--tool-name', 'get-env'], code: 5, says: 'clawai denied the tool call' },
  { transport: 'http', args: ['tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hi'], code: 0, says: 'Echo: hi' },
  { transport: 'http', args: ['tools/call', '--tool-name', 'get-env'], code: 5, says: 'clawai denied the tool call' },
] as const)('the Inspector over $transport: $args.2 ends it with $code', async ({ transport, args, code, says }) => {
  const everything = await startEverything(sandbox, transport === 'sse' ? 'sse' : 'streamableHttp');
  const policy = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\ntool = "get-env"\n';
  const serving = await Serving.start(sandbox, { servers: { everything: everything.url }, policy });
  const words = [
    '--cli',
    '--format',
    'json',
    '--transport',
    transport,
    '--server-url',
    serving.url('everything'),
    '--method',
    ...args,
  ];
  const ended = await new Running([process.execPath, INSPECTOR, ...words], { env: sandbox.env, cwd: sandbox.folder }).close();
  expect({ code: ended.code, text: ended.stdout + ended.stderr }).toEqual({ code, text: expect.stringContaining(says) });
  await serving.stop();
  await everything.stop();
});
