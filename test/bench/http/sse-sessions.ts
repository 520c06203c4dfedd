import { setTimeout } from 'node:timers/promises';
import { Connection, type Timing } from './connection.ts';
import { type Address, beginSse, REQUESTS, streamed } from './messages.ts';

const SECOND = 1000;

/** A session of HTTP+SSE: its stream and its messages have a connection each. */
interface Session {
  readonly stream: Connection;
  readonly messages: Connection;
  readonly address: Address;
}

/** Times one message after the other in one session, until its answer comes by the stream. */
export function timeAnswers({ target, count }: { readonly target: Address; readonly count: number }): Promise<Timing[]> {
  return inSession(target, async (session) => {
    const timings: Timing[] = [];
    while (timings.length < count) timings.push(await ping(session));
    return timings;
  });
}

/** Times a stream, from the message that asks for its events to its end. */
export function timeStream({
  target,
  events,
  together,
}: {
  readonly target: Address;
  readonly events: number;
  readonly together: number;
}): Promise<Timing> {
  return inSession(target, async ({ stream, messages, address }) => {
    const rest = stream.rest();
    await Promise.all([rest, messages.request(streamed(address, events, together))]);
    return rest;
  });
}

/**
 * Keeps sessions open, with a ping each second in each.
 *
 * @param order `measure`: milliseconds
 * @returns how many pings were answered
 */
export async function talk({
  target,
  count,
  measure,
}: {
  readonly target: Address;
  readonly count: number;
  readonly measure: number;
}): Promise<number> {
  const until = performance.now() + measure;
  let answers = 0;
  const talkIn = async (session: Session): Promise<void> => {
    for (; performance.now() < until; answers++) {
      await ping(session);
      await setTimeout(SECOND);
    }
  };
  const all = Array.from({ length: count }, async (_, at) => {
    // Spread over a second, as clients of their own would be.
    await setTimeout((at * SECOND) / count);
    await inSession(target, talkIn);
  });
  await Promise.all(all);
  return answers;
}

async function ping({ stream, messages, address }: Session): Promise<Timing> {
  const [timing] = await Promise.all([stream.next(), messages.request(REQUESTS.ping(address))]);
  return timing;
}

async function inSession<T>(target: Address, act: (session: Session) => Promise<T>): Promise<T> {
  const [stream, messages] = [new Connection(target.port), new Connection(target.port)];
  try {
    const path = await stream.begin(beginSse(target));
    return await act({ stream, messages, address: { port: target.port, path } });
  } finally {
    for (const connection of [stream, messages]) connection.close();
  }
}
