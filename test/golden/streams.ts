import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { callBlock, stream as anthropicStream, textBlock, thinkingBlock } from '../support/anthropic-events.ts';
import { stream as chatStream } from '../support/chat-chunks.ts';
import { call as geminiCall, finish, payload, pieces, sse, text } from '../support/gemini-events.ts';
import { Dice, goldenCall } from './calls.ts';

/** What answers are made of: a call of an agent's own tool as its model makes it. */
interface ModelCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Dialect {
  readonly path: string;
  readonly request: object;
  /** An answer as the provider streams it. */
  answer(words: string, calls: readonly ModelCall[], dice: Dice): string;
}

const MESSAGES = [{ role: 'user', content: 'Do it.' }];
const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic: {
    path: '/v1/messages',
    request: { model: 'm', max_tokens: 9, stream: true, messages: MESSAGES },
    answer: (words, calls, dice) =>
      anthropicStream(
        [
          ...(dice.roll(2) === 0 ? [thinkingBlock('Hm.')] : []),
          textBlock(words),
          ...calls.map(({ name, args }, at) => callBlock(`toolu_${at}`, name, JSON.stringify(args), 1 + dice.roll(40))),
        ],
        calls.length > 0 ? 'tool_use' : 'end_turn',
      ),
  },
  openai: {
    path: '/chat/completions',
    request: { model: 'm', stream: true, messages: MESSAGES },
    answer: (words, calls, dice) =>
      chatStream(
        words,
        calls.map(({ name, args }, at) => ({ id: `call_${at}`, name, args: JSON.stringify(args), piece: 1 + dice.roll(40) })),
      ),
  },
  gemini: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    request: { contents: [{ role: 'user', parts: [{ text: 'Do it.' }] }] },
    answer: (words, calls, dice) =>
      sse([
        payload([text(words)]),
        ...calls.flatMap(({ name, args }, at) => {
          const [value] = Object.values(args);
          const cut = { id: `c${at}`, path: '$.command', value: String(value), size: 1 + dice.roll(40) };
          return (dice.roll(3) === 0 ? pieces(name, cut) : [geminiCall(name, args)]).map((part) => payload([part]));
        }),
        finish(),
      ]),
  },
};

const POLICY = `
[defaults]
action = "allow"
unmapped_tool = "allow"

[[rule]]
id = "keys"
action = "deny"
server = "native"
tool = "**"
args."**" = ["**/.ssh/**", "**/.env"]

[[rule]]
id = "shell"
action = "deny"
server = "native"
tool = ["execute_*", "Bash"]
`;

/** Notes of a denial have an id that is another one each time. */
const BLOCK_ID = /\bblk_[\w-]{16}/g;

/** How to start clawai: the launcher, the environment, and a folder for what is written. */
export interface Start {
  readonly bin: string;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
}

/**
 * What comes through `clawai serve` of answers that models stream, which are the same ones for a seed and written in pieces of any length.
 *
 * @returns by dialect, each answer as the client gets it
 */
export async function guardedStreams(start: Start, { seed, count }: { readonly seed: number; readonly count: number }) {
  const dice = new Dice(seed);
  let body = Buffer.alloc(0);
  const provider = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let at = 0; at < body.length;) {
        const end = at + 1 + dice.roll(600);
        response.write(body.subarray(at, end));
        at = end;
      }
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const config = join(start.folder, 'serve.toml');
  const policy = join(start.folder, 'serve-policy.toml');
  writeFileSync(policy, POLICY);
  const providers = Object.keys(DIALECTS).map((name) => `[llm.providers.${name}]\nbase_url = "${origin}"\n`);
  writeFileSync(config, `listen = "127.0.0.1:0"\n${providers.join('')}`);
  const words = ['serve', '--config', config, '--policy', policy, '--json'];
  const serve = spawn(process.execPath, [start.bin, ...words], { env: start.env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const line = await createInterface({ input: serve.stdout })[Symbol.asyncIterator]().next();
    const { llm } = JSON.parse(String(line.value)) as {
      readonly llm: readonly { readonly name: string; readonly url: string }[];
    };
    const got: Record<string, string[]> = {};
    for (const { name, url } of llm) {
      const { path, request, answer } = DIALECTS[name] as Dialect;
      got[name] = [];
      for (let i = 0; i < count; i++) {
        const calls = Array.from({ length: dice.roll(4) }, () => modelCall(dice));
        body = Buffer.from(answer(dice.pick(['Well.', 'Ä 😀 then', '']), calls, dice));
        const init = { method: 'POST', body: JSON.stringify(request), headers: { 'content-type': 'application/json' } };
        const response = await fetch(url + path, init);
        got[name].push(`${response.status} ${(await response.text()).replaceAll(BLOCK_ID, 'blk')}`);
      }
    }
    return got;
  } finally {
    serve.kill();
    await once(serve, 'close');
    provider.closeAllConnections();
    provider.close();
  }
}

function modelCall(dice: Dice): ModelCall {
  const { params } = goldenCall(dice, 'native');
  return { name: String(params['name']), args: params['arguments'] as ModelCall['args'] };
}
