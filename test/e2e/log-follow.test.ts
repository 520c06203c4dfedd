/** @module-tag long */
import { renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SqliteQuestions } from '../../src/store/approval-store.ts';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { question } from '../support/questions.ts';
import type { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

async function makeCall(tool: string): Promise<void> {
  const { current } = sandbox;
  const policy = current.write(
    'policy.toml',
    '[defaults]\naction = "allow"\n[[rule]]\nid = "no"\naction = "deny"\ntool = "no*"\n',
  );
  const server = [process.execPath, support('recording-server.mjs'), current.path('reached')];
  const proxy: Running = current.clawai('proxy', '--server', 'files', '--policy', policy, '--', ...server);
  proxy.send(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } })}\n`);
  await proxy.until(() => proxy.stdout.toString().includes('"id":1'));
  await proxy.close();
}

describe.runIf(HAS_TERMINAL)('clawai log --follow at a terminal', () => {
  it('shows calls and questions as they come, also after the store was replaced', async () => {
    await makeCall('read');
    const person = new AtTerminal(sandbox.current, ['log', '-f'], { columns: 100, rows: 30 });
    await person.shows('last minute: 1 calls');
    await makeCall('no_way');
    await person.shows('DENIED');
    const { storeFile } = sandbox.current;
    const store = new SqliteQuestions({ file: storeFile, sync: 'normal' });
    store.ask(question({ id: 'K7Q2MX' }), { most: 10, within: 1000 });
    store.close();
    await person.shows('clawai approve K7Q2MX');
    for (const end of ['', '-wal', '-shm']) {
      try {
        renameSync(`${storeFile}${end}`, `${storeFile}.old${end}`);
      } catch {
        // Only the store itself is always there.
      }
    }
    await makeCall('no_more');
    await person.shows('no_more');
    person.send('\u0003');
    // The shell of the terminal is interrupted, too, so the code may be its own.
    expect([0, 130]).toContain((await person.ended).code);
  });
});
