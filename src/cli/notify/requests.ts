import { createHmac } from 'node:crypto';
import type { WebhookForm } from '../../config/read-webhooks.ts';
import type { Notice } from './notices.ts';

/** One notice to send: how many like it there were, and how many others were lost before it. */
export interface Sending {
  readonly notice: Notice;
  readonly times: number;
  readonly dropped: number;
}

export interface NoticeRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Signing {
  /** Undefined if nothing is signed. */
  readonly secret: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Makes the request for one form of webhook. Each attempt is signed anew, so that the receiver can refuse old ones. */
export function toRequest(form: WebhookForm, sending: Sending, signing: Signing): NoticeRequest {
  return FORMS[form](sending, signing);
}

const FORMS: Readonly<Record<WebhookForm, (sending: Sending, signing: Signing) => NoticeRequest>> = {
  json: (sending, signing) => signed(toJson(sending), sending, signing),
  // https://docs.slack.dev/messaging/formatting-message-text: these three characters are escaped, nothing else.
  slack: (sending) => plain({ text: `*${sending.notice.title}*\n${escapeSlack(wholeText(sending))}` }),
  // https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  teams: (sending) =>
    plain({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: sending.notice.title, weight: 'Bolder', wrap: true },
              // A run of text, unlike a text block, reads no Markdown.
              { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: wholeText(sending) }] },
            ],
          },
        },
      ],
    }),
  // https://docs.ntfy.sh/publish: the text is the body, the rest are headers.
  ntfy: (sending, { secret }) => ({
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: sending.notice.title,
      priority: sending.notice.event === 'questions' || sending.notice.event === 'alarms' ? 'high' : 'default',
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
    },
    body: wholeText(sending),
  }),
};

function plain(value: object): NoticeRequest {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** Signs as Standard Webhooks says (https://www.standardwebhooks.com), which has libraries for receivers. */
function signed(value: object, { notice }: Sending, { secret, now }: Signing): NoticeRequest {
  const { headers, body } = plain(value);
  const timestamp = String(Math.floor(now / 1000));
  const id = { 'webhook-id': notice.id, 'webhook-timestamp': timestamp };
  if (secret === undefined) return { headers: { ...headers, ...id }, body };
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  const signature = createHmac('sha256', key).update(`${notice.id}.${timestamp}.${body}`).digest('base64');
  return { headers: { ...headers, ...id, 'webhook-signature': `v1,${signature}` }, body };
}

function toJson({ notice, times, dropped }: Sending): object {
  const { id, event, time, server, subject, title, text, severity, reason, rule, question } = notice;
  return {
    version: 1,
    id,
    event,
    time: new Date(time).toISOString(),
    server_id: server,
    subject,
    title,
    text,
    severity,
    reason,
    rule,
    times,
    dropped,
    ...(question === undefined
      ? {}
      : {
          question: {
            id: question.id,
            expires_at: new Date(question.expires).toISOString(),
            approve: `clawai approve ${question.id}`,
            deny: `clawai deny ${question.id}`,
          },
        }),
  };
}

function wholeText({ notice, times, dropped }: Sending): string {
  const often = times > 1 ? ` (${times} times)` : '';
  const lost = dropped > 0 ? `\n${dropped} earlier ${dropped === 1 ? 'notice was' : 'notices were'} lost.` : '';
  return `${notice.text}${often}${lost}`;
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
