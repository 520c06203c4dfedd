import type { Webhook } from '../../config/read-webhooks.ts';
import { notifyStateFile, readNotifyState } from '../notify/notify-state.ts';
import { visible } from '../terminal/text.ts';
import { type Check, ok, warn } from './check.ts';

/** The webhooks, and what came of what they were told last. Nothing is sent. */
export function checkWebhooks(webhooks: readonly Webhook[], stateDir: string): readonly Check[] {
  const { channels } = readNotifyState(notifyStateFile(stateDir));
  return webhooks.map(({ name, events }) => {
    const about = `webhook ${name}`;
    const { sent, dropped, fault } = channels[name] ?? { sent: 0, dropped: 0, fault: '' };
    const what = `tells ${events.length === 0 ? 'nothing' : events.join(', ')}; ${sent} sent`;
    if (fault === '' && dropped === 0) return ok(about, what);
    const lost = dropped === 0 ? '' : `, ${dropped} lost since`;
    return warn(
      about,
      `${what}${lost}${fault === '' ? '' : `; last time: ${visible(fault)}`}`,
      `clawai service notify --test ${name}`,
    );
  });
}
