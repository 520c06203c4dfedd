import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testNotice } from '../../../src/cli/notify/notices.ts';
import { createSend } from '../../../src/cli/notify/send.ts';
import { WEBHOOK_FORMS, type SecretPlace } from '../../../src/config/read-webhooks.ts';

const received: string[] = [];
const server = createServer((request, response) => {
  received.push(String(request.headers.authorization));
  response.end();
});
let url: SecretPlace;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = { in: 'config', text: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
});
afterAll(() => void server.close());

describe('createSend', () => {
  const attempt = (form: (typeof WEBHOOK_FORMS)[number], secret: string) =>
    createSend(
      { name: 'w', url, form, secret: { in: 'env', name: 'KEY' }, events: [], minSeverity: 'high' },
      { env: { KEY: secret }, now: () => 0 },
    )({ notice: testNotice(0), times: 1, dropped: 0 });

  it('sends a token', async () => {
    expect(await attempt('ntfy', 'tk_one\n')).toEqual({ outcome: 'sent' });
    expect(received.splice(0)).toEqual(['Bearer tk_one']);
  });

  it.each(WEBHOOK_FORMS)('repeats no secret of two lines, and sends none (%s)', async (form) => {
    for (const secret of ['tk_one\ntk_two', 'tk_one\u0000tk_two', 'tk_one\r\nx: tk_two']) {
      expect(await attempt(form, secret)).toEqual({ outcome: 'refused', fault: 'KEY holds more than one line' });
    }
    expect(received).toEqual([]);
  });
});
