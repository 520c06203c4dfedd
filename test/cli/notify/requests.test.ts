import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WEBHOOK_FORMS } from '../../../src/config/read-webhooks.ts';
import { testNotice } from '../../../src/cli/notify/notices.ts';
import { type NoticeRequest, type Sending, toRequest } from '../../../src/cli/notify/requests.ts';

const NOW = Date.parse('2026-03-04T05:06:07Z');
const NOTICE = { ...testNotice(NOW), event: 'questions', subject: 'a<b', server: 's', text: 'a<b> & *c*' } as const;
const SENDING: Sending = { notice: { ...NOTICE, question: { id: 'K7Q2MX', expires: NOW } }, times: 3, dropped: 2 };

const secretOf = (secret: string | undefined) => ({ secret, now: NOW });
const json = ({ body }: NoticeRequest): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>;

describe('toRequest', () => {
  it('makes JSON with the question, how often, and what was lost', () => {
    expect(json(toRequest('json', SENDING, secretOf(undefined)))).toMatchObject({
      version: 1,
      event: 'questions',
      time: '2026-03-04T05:06:07.000Z',
      times: 3,
      dropped: 2,
      question: { id: 'K7Q2MX', approve: 'clawai approve K7Q2MX', deny: 'clawai deny K7Q2MX' },
    });
  });

  it.each([
    ['hunter2hunter2', Buffer.from('hunter2hunter2')],
    [`whsec_${Buffer.from('key').toString('base64')}`, Buffer.from('key')],
  ])('signs id, time and body with %s', (secret, key) => {
    const { headers, body } = toRequest('json', SENDING, secretOf(secret));
    const signature = createHmac('sha256', key)
      .update(`${headers['webhook-id']}.${NOW / 1000}.${body}`)
      .digest('base64');
    expect(headers).toMatchObject({ 'webhook-timestamp': String(NOW / 1000), 'webhook-signature': `v1,${signature}` });
    const later = toRequest('json', SENDING, { secret, now: NOW + 1000 });
    expect(later.headers['webhook-id']).toBe(headers['webhook-id']);
    expect(later.headers['webhook-signature']).not.toBe(headers['webhook-signature']);
  });

  it('signs nothing without a secret', () => {
    expect(toRequest('json', SENDING, secretOf(undefined)).headers).not.toHaveProperty('webhook-signature');
  });

  it('escapes what Slack reads as markup of its own', () => {
    const text = String(json(toRequest('slack', SENDING, secretOf('x')))['text']);
    expect(text).toContain('a&lt;b&gt; &amp; *c* (3 times)\n2 earlier notices were lost.');
  });

  it('gives Teams a card whose text is no Markdown', () => {
    expect(json(toRequest('teams', SENDING, secretOf('x')))).toMatchObject({
      type: 'message',
      attachments: [{ content: { type: 'AdaptiveCard', body: [{}, { type: 'RichTextBlock' }] } }],
    });
  });

  it('gives ntfy the text, with a priority and its token', () => {
    const { headers, body } = toRequest('ntfy', SENDING, secretOf('tk_1'));
    expect(headers).toMatchObject({ title: 'clawai: test', priority: 'high', authorization: 'Bearer tk_1' });
    expect(body).toBe('a<b> & *c* (3 times)\n2 earlier notices were lost.');
  });

  it.each(WEBHOOK_FORMS)('%s never has the secret in its body', (form) => {
    expect(toRequest(form, SENDING, secretOf('hunter2')).body).not.toContain('hunter2');
  });
});
