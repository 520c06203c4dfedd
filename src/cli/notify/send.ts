import { readFileSync, statSync } from 'node:fs';
import { readWebhookUrl, type SecretPlace, type Webhook } from '../../config/read-webhooks.ts';
import { createSafeFetch } from '../../transport/login/safe-fetch.ts';
import type { Attempt } from './channel.ts';
import { type Sending, toRequest } from './requests.ts';

/** Milliseconds for one attempt. */
const PATIENCE_MS = 10_000;

/** Most bytes of a file with a secret, and of an answer. */
const MOST_BYTES = 64 * 1024;

/** Statuses after which it may help to send again: time-outs, too early, too many, and faults of the receiver. */
const AGAIN: ReadonlySet<number> = new Set([408, 425, 429]);

export interface SendOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly patience?: number;
}

/**
 * Creates a function that sends to one webhook, once. It follows no redirect, reads no more than a little of the answer, and never rejects.
 * The URL and the secret are read for each attempt, and no fault repeats them.
 */
export function createSend(
  webhook: Webhook,
  { env, now, patience = PATIENCE_MS }: SendOptions,
): (sending: Sending) => Promise<Attempt> {
  return async (sending) => {
    const url = readSecret(webhook.url, env);
    const secret = webhook.secret === undefined ? undefined : readSecret(webhook.secret, env);
    for (const read of [url, secret]) if (read !== undefined && 'fault' in read) return { outcome: 'refused', fault: read.fault };
    const target = url !== undefined && 'text' in url ? url.text : '';
    const checked = readWebhookUrl(target);
    if (!checked.ok) return { outcome: 'refused', fault: `its URL ${checked.problem}` };
    const { headers, body } = toRequest(webhook.form, sending, {
      secret: secret !== undefined && 'text' in secret ? secret.text : undefined,
      now: now(),
    });
    try {
      const post = createSafeFetch({ server: target, patience, mostBytes: MOST_BYTES });
      const { status } = await post(target, { method: 'POST', headers: { ...headers, 'user-agent': 'clawai' }, body });
      if (status >= 200 && status < 300) return { outcome: 'sent' };
      const outcome = status >= 500 || AGAIN.has(status) ? 'again' : 'refused';
      return { outcome, fault: `it answered with status ${status}` };
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      // An address that is never asked stays one.
      const isRefused = thrown instanceof Error && thrown.name === 'RefusedAddress';
      return { outcome: isRefused ? 'refused' : 'again', fault: reason.replaceAll(target, 'its URL') };
    }
  };
}

type Read = { readonly text: string } | { readonly fault: string };

function readSecret(place: SecretPlace, env: NodeJS.ProcessEnv): Read {
  if (place.in === 'config') return { text: place.text };
  if (place.in === 'env') {
    const text = env[place.name]?.trim() ?? '';
    return text === '' ? { fault: `the environment variable ${place.name} is not set` } : oneLine(text, place.name);
  }
  try {
    const { size } = statSync(place.file);
    if (size > MOST_BYTES) return { fault: `${place.file} is too large for a secret` };
    const text = readFileSync(place.file, 'utf8').trim();
    return text === '' ? { fault: `${place.file} is empty` } : oneLine(text, place.file);
  } catch (thrown) {
    return {
      fault: `${place.file} could not be read (${thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'error'})`,
    };
  }
}

/** A header can't hold other texts, and Node's error would repeat them. */
function oneLine(text: string, place: string): Read {
  return /\p{Cc}/u.test(text) ? { fault: `${place} holds more than one line` } : { text };
}
