import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';

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
method = "resources/read"
resource = "file:///secret"

[[rule]]
id = "secret-prompt"
action = "deny"
prompt = "secret"

[[rule]]
id = "ask"
action = "prompt"
tool = "ask"

[approval]
timeout = "1s"
`;

interface Script {
  readonly first?: string;
  readonly answers?: readonly string[];
}

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

function start(script: Script = {}): Running {
  const policy = sandbox.write('policy.toml', POLICY);
  const file = sandbox.write('script.json', JSON.stringify(script));
  const server = [process.execPath, support('recording-server.mjs'), sandbox.path('seen'), file];
  return sandbox.clawai('proxy', '--server', 'recorder', '--policy', policy, '--', ...server);
}

/** Messages that no parser and printer would give back as they are. */
const ODD = [
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"free","arguments":{"a":1}}}',
  '  {  "id" :\t2 , "params":{ "arguments" : { "z":1.0,"a":1e3, "10":0,"2":0 },"name":"free"},"method":"tools/call","jsonrpc":"2.0" }  ',
  '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"\\u0066ree","arguments":{"path":"\\/tmp\\/\\u00e9\\ud83c\\udf88"}}}',
  '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"free","arguments":{"n":12345678901234567890,"x":0.1000}}}',
  '{"jsonrpc":"2.0","id":"grüße 🎈\\u0000","method":"tools/call","params":{"name":"free","arguments":{"text":"naïve — 日本語 🎈"}}}',
  '{"jsonrpc":"2.0","id":-0,"method":"resources/read","params":{"uri":"file:///tmp/a%20b"}}',
  '{"jsonrpc":"2.0","id":"6","method":"some/new-method","params":[1,2,{"a":null}],"extra":{"a":1}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}',
  '{"jsonrpc":"2.0","id":"s-1","result":{"roots":[]}}',
  '{"jsonrpc":"2.0","id":7,"method":"ping"}\r',
  '',
];

describe('bytes', () => {
  it('what is allowed reaches the server byte for byte', async () => {
    const clawai = start({ first: '{"jsonrpc":"2.0","id":"s-1","method":"roots/list"}\n' });
    await clawai.lines(1);
    const sent = ODD.map((line) => `${line}\n`).join('');
    clawai.send(sent);
    // The request that was cancelled has no answer any more.
    await clawai.lines(8);
    await clawai.close();
    expect(sandbox.read('seen').toString()).toBe(sent);
  });

  it('what the server prints reaches the client byte for byte', async () => {
    const first = [
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"b":1,"a":2.50,"n":12345678901234567890}}\n',
      ' {"jsonrpc" : "2.0", "id" : "x", "method":"sampling/createMessage", "params":{"text":"\\u00e9é🎈"}} \r\n',
      '\n{"jsonrpc":"2.0","method":"some/new-notification","extra":[1,2]}\n',
    ].join('');
    const last = '{"jsonrpc":"2.0","id":1,"result":{ }}';
    const clawai = start({ first, answers: [last] });
    clawai.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await clawai.until(() => clawai.stdout.toString() === first);
    const { stdout } = await clawai.close();
    expect(stdout).toBe(first + last);
  });

  it('what is denied is cut out of its neighbours, which arrive as they are', async () => {
    const clawai = start();
    const denied = '{"jsonrpc":"2.0","id":"d","method":"tools/call","params":{"name":"forbidden"}}\n';
    clawai.send(`${ODD[0]}\n${denied}${ODD[1]}\n`);
    await clawai.lines(3);
    await clawai.close();
    expect(sandbox.read('seen').toString()).toBe(`${ODD[0]}\n${ODD[1]}\n`);
  });

  it('hazard 19: characters of several bytes survive a border between any two bytes', async () => {
    const line = '{"jsonrpc":"2.0","id":"é","method":"tools/call","params":{"name":"free","arguments":{"t":"€ 日 🎈 é"}}}\n';
    const bytes = Buffer.from(line);
    const answer = '{"jsonrpc":"2.0","id":"é","result":{"t":"€ 日 🎈 é"}}\n';
    const clawai = start({ answers: Array.from({ length: bytes.length }, () => answer) });
    for (let cut = 1; cut < bytes.length; cut++) {
      clawai.send(bytes.subarray(0, cut));
      // A pause, so that both pieces arrive as chunks of their own.
      await new Promise((resolve) => setTimeout(resolve, 3));
      clawai.send(bytes.subarray(cut));
      await clawai.lines(cut);
    }
    const { stdout } = await clawai.close();
    expect(sandbox.read('seen').toString()).toBe(line.repeat(bytes.length - 1));
    expect(stdout).toBe(answer.repeat(bytes.length - 1));
  });
});

describe('stdout carries messages only', () => {
  it('what else a server prints there is shown on stderr', async () => {
    const clawai = start({ first: 'Listening on 3000\n{"jsonrpc":"2.0","method":"x"}\n' });
    await clawai.lines(1);
    const { stdout, stderr } = await clawai.close();
    expect(stdout).toBe('{"jsonrpc":"2.0","method":"x"}\n');
    expect(stderr).toContain(
      'clawai: the server\'s stdout had a line that is not a message (not a JSON object): "Listening on 3000"',
    );
  });
});

describe('answers of ours', () => {
  const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';

  it.each([
    ['1', '1'],
    ['"1"', '"1"'],
    ['9007199254740993', '9007199254740993'],
    ['-1', '-1'],
    ['"\\u00e9"', '"\\u00e9"'],
    ['1.50', '1.50'],
  ])('hazard 17: the id %s comes back with its type and spelling', async (sent, expected) => {
    const clawai = start();
    clawai.send(`{"jsonrpc":"2.0","id":${sent},"method":"tools/call","params":{"name":"forbidden"}}\n`);
    const [answer = ''] = await clawai.lines(1);
    await clawai.close();
    expect(answer).toMatch(new RegExp(`^\\{"jsonrpc":"2.0","id":${expected.replaceAll(/[\\.]/g, '\\$&')},"result":`));
    expect(sandbox.read('seen').toString()).toBe('');
  });

  it('a denied tools/call is a result; resultType only where the request is of the modern era', async () => {
    const clawai = start();
    clawai.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forbidden"}}\n`);
    clawai.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"forbidden",${META}}}\n`);
    const [legacy, modern] = (await clawai.lines(2)).map((line) => JSON.parse(line) as { result: Record<string, unknown> });
    await clawai.close();
    const decision = { action: 'deny', reason: 'rule', rule: 'forbidden', audit: expect.any(String) };
    const denial = {
      content: [{ type: 'text', text: expect.any(String) }],
      isError: true,
      _meta: { 'dev.clawai/decision': decision },
    };
    expect(legacy?.result).toEqual(denial);
    expect(modern?.result).toEqual({ resultType: 'complete', ...denial });
  });

  it('hazard 17: resources and prompts are denied with the code 40300, in both eras', async () => {
    const clawai = start();
    clawai.send('{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///secret"}}\n');
    clawai.send(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"file:///secret",${META}}}\n`);
    clawai.send('{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"secret"}}\n');
    const answers = (await clawai.lines(3)).map((line) => JSON.parse(line) as unknown);
    await clawai.close();
    const error = { code: 40300, message: expect.stringContaining('clawai denied') };
    expect(answers).toEqual([1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, error })));
  });

  it('hazard 2: a prompt that nobody answers is a denial that says so', async () => {
    const clawai = start();
    clawai.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}\n');
    const [answer = ''] = await clawai.lines(1);
    await clawai.close();
    expect(JSON.parse(answer)).toMatchObject({
      id: 1,
      result: { isError: true, content: [{ text: expect.stringContaining('approval') }] },
    });
    expect(sandbox.read('seen').toString()).toBe('');
    expect(sandbox.decided()).toMatchObject([
      { action: 'block', decision: 'prompt', reason: 'approval_expired', approval: 'expired' },
    ]);
  });

  it('hazard 18: every line that is refused gets one answer, and none of them reaches the server', async () => {
    const refused = [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":{"name":"free"}}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"free","name":"forbidden"}}',
      '{"jsonrpc":"2.0","id":3,"Method":"ping"}',
      '[{"jsonrpc":"2.0","id":4,"method":"ping"}]',
      'not JSON',
    ];
    const clawai = start();
    clawai.send(refused.map((line) => `${line}\n`).join(''));
    clawai.send(
      Buffer.from([
        ...Buffer.from('{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"'),
        0xff,
        ...Buffer.from('"}}\n'),
      ]),
    );
    const answers = (await clawai.lines(6)).map((line) => JSON.parse(line) as { id: unknown; error: { code: number } });
    await clawai.close();
    expect(answers.map(({ id, error }) => [id, error.code])).toEqual([
      [1, -32600],
      [2, -32600],
      [3, -32600],
      [null, -32600],
      [null, -32600],
      [6, -32600],
    ]);
    expect(sandbox.read('seen').toString()).toBe('');
  });
});
