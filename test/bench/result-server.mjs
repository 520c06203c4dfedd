// A server whose every tool answers with some kilobytes of text that no other answer has.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const rows = Array.from(
    { length: 40 },
    () => `${randomBytes(8).toString('hex')},customer ${randomBytes(6).toString('base64')}`,
  );
  const result = method === 'tools/call' ? { content: [{ type: 'text', text: rows.join('\n') }] } : {};
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
