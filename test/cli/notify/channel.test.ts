import { describe, expect, it } from 'vitest';
import { type Attempt, BACK_OFF_MS, Channel, MOST_WAITING } from '../../../src/cli/notify/channel.ts';
import { type Notice, testNotice } from '../../../src/cli/notify/notices.ts';
import type { Sending } from '../../../src/cli/notify/requests.ts';

const SENT: Attempt = { outcome: 'sent' };
const AGAIN: Attempt = { outcome: 'again', fault: 'down' };

const notice = (subject: string, more: Partial<Notice> = {}): Notice => ({
  ...testNotice(0),
  event: 'denials',
  subject,
  ...more,
});
const asked = (id: string, expires = Infinity): Notice => notice(id, { event: 'questions', question: { id, expires } });

/** A channel whose receiver answers so, and then takes all. */
function channelOf(...answers: readonly Attempt[]) {
  const [left, sent, pauses]: [Attempt[], Sending[], number[]] = [[...answers], [], []];
  let inFlight = 0;
  let most = 0;
  const channel = new Channel(
    {
      send: async (sending) => {
        most = Math.max(most, ++inFlight);
        await Promise.resolve();
        inFlight--;
        sent.push(sending);
        return left.shift() ?? SENT;
      },
      pause: async (ms) => void pauses.push(ms),
      now: () => 1000,
    },
    { sent: 0, dropped: 0, fault: '' },
  );
  const settled = async (): Promise<void> => {
    while (!channel.isIdle) await new Promise((resolve) => setImmediate(resolve));
  };
  return { channel, sent, pauses, settled, most: () => most };
}

describe('a channel', () => {
  it('sends one at a time, in order', async () => {
    const { channel, sent, settled, most } = channelOf();
    for (const subject of ['a', 'b', 'c']) channel.add(notice(subject));
    await settled();
    expect(sent.map(({ notice: { subject } }) => subject)).toEqual(['a', 'b', 'c']);
    expect(most()).toBe(1);
    expect(channel.counts).toEqual({ sent: 3, dropped: 0, fault: '' });
  });

  it('sends again with growing pauses', async () => {
    const { channel, sent, pauses, settled } = channelOf(AGAIN, AGAIN, AGAIN);
    channel.add(notice('a'));
    await settled();
    expect(sent).toHaveLength(4);
    expect(pauses).toEqual(BACK_OFF_MS.slice(0, 3));
    expect(channel.counts).toEqual({ sent: 1, dropped: 0, fault: '' });
  });

  it('does not repeat what is refused for good, and tells later that it was lost', async () => {
    const { channel, sent, settled } = channelOf({ outcome: 'refused', fault: 'status 404' });
    channel.add(notice('a'));
    channel.add(notice('b'));
    await settled();
    expect(sent.map(({ notice: { subject }, dropped }) => [subject, dropped])).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
    expect(channel.counts.dropped).toBe(0);
  });

  it('gives up all that waits when the receiver is gone, counts it, and works on afterwards', async () => {
    const { channel, sent, settled } = channelOf(...Array.from({ length: BACK_OFF_MS.length + 1 }, () => AGAIN));
    for (const subject of ['a', 'b', 'c']) channel.add(notice(subject));
    await settled();
    expect(sent).toHaveLength(BACK_OFF_MS.length + 1);
    expect(channel.counts).toEqual({ sent: 0, dropped: 3, fault: 'down' });
    channel.add(notice('d'));
    await settled();
    expect(sent.at(-1)).toMatchObject({ notice: { subject: 'd' }, dropped: 3 });
  });

  it('counts notices that say the same with the one that waits', async () => {
    const { channel, sent, settled } = channelOf();
    for (const subject of ['a', 'b', 'b', 'b']) channel.add(notice(subject));
    await settled();
    expect(sent.map(({ notice: { subject }, times }) => [subject, times])).toEqual([
      ['a', 1],
      ['b', 3],
    ]);
  });

  it('is bounded, and loses no question for a denial', async () => {
    const { channel, sent, settled } = channelOf();
    channel.add(notice('first'));
    channel.add(asked('Q'));
    for (let at = 0; at < MOST_WAITING + 10; at += 1) channel.add(notice(`d${at}`));
    const { dropped } = channel.counts;
    await settled();
    expect(dropped).toBeGreaterThanOrEqual(10);
    expect(sent.length + dropped).toBe(MOST_WAITING + 12);
    expect(sent.some(({ notice: { subject } }) => subject === 'Q')).toBe(true);
    expect(sent[1]?.dropped).toBe(dropped);
  });

  it('sends no question that is over', async () => {
    const { channel, sent, settled } = channelOf();
    channel.add(asked('OLD', 999));
    channel.add(asked('NEW', 1001));
    await settled();
    expect(sent.map(({ notice: { subject } }) => subject)).toEqual(['NEW']);
  });
});
