import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Running } from '../support/running.ts';
import { ROOT } from '../support/run-cli.ts';

it('answers as an MCP server does, and notes what reached it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clawai-canary-'));
  const heard = join(folder, 'heard.jsonl');
  const canary = new Running([process.execPath, join(ROOT, 'bin', 'canary-server.mjs'), heard], { env: {}, cwd: folder });
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'canary_sing', arguments: { text: 'x' } } },
    { id: 4, method: 'server/discover' },
  ];
  for (const message of messages) canary.send(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answers = (await canary.lines(4)).map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: 1, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'clawai-canary' } } },
    { id: 2, result: { tools: [{ name: 'canary_sing' }, { name: 'canary_trap' }] } },
    { id: 3, result: { content: [{ type: 'text', text: 'canary_sing heard x' }] } },
    { id: 4, error: { code: -32_601 } },
  ]);
  expect((await canary.close()).code).toBe(0);
  const noted = readFileSync(heard, 'utf8').trimEnd().split('\n');
  expect(noted.map((line) => JSON.parse(line).method)).toEqual(messages.map(({ method }) => method));
  expect(JSON.parse(noted[3] ?? '')).toEqual({ method: 'tools/call', tool: 'canary_sing', text: 'x' });
  rmSync(folder, { recursive: true });
});
