import { addEvents } from '../keep-events.ts';
import type { FeedMessages, Problem, WireEvent, WireQuestion } from '../wire.ts';
import { useEffect, useState } from './preact.ts';

/** Gets a view. Rejects with what the server says is wrong. */
export async function get<T>(name: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  const words = new URLSearchParams(query).toString();
  return read<T>(await fetch(`api/${name}${words === '' ? '' : `?${words}`}`));
}

/** Sends something that changes things, or that is too long for an address. */
export async function post<T>(name: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return read<T>(await fetch(`api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function read<T>(response: Response): Promise<T> {
  const value = (await response.json()) as T | Problem;
  if (response.ok) return value as T;
  throw new Error('problem' in (value as object) ? (value as Problem).problem : ENDED);
}

const ENDED = 'This page is over. Run clawai dashboard again, or press Enter where it runs for a new address.';

/** A view that is read when it is shown, and again when `again` is called or `every` milliseconds have passed. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly problem: string | undefined;
  readonly again: () => void;
}

export function useView<T>(name: string, query: Readonly<Record<string, string>> = {}, every = 0): Loaded<T> {
  const [state, setState] = useState<{ value?: T; problem?: string }>({});
  const [round, setRound] = useState(0);
  const key = JSON.stringify(query);
  useEffect(() => {
    let isShown = true;
    get<T>(name, JSON.parse(key) as Record<string, string>).then(
      (value) => isShown && setState({ value }),
      (error: unknown) => isShown && setState({ problem: messageOf(error) }),
    );
    // A page in the background asks for nothing.
    const timer = every === 0 ? undefined : setInterval(() => document.hidden || setRound((last) => last + 1), every);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [name, key, round, every]);
  return { value: state.value, problem: state.problem, again: () => setRound((last) => last + 1) };
}

/** The state of the feed. */
export interface Live {
  /** Newest first. */
  readonly events: readonly WireEvent[];
  readonly questions: readonly WireQuestion[];
  /** Milliseconds by which the server's clock is ahead of ours. */
  readonly ahead: number;
  /** Whether events were left out since they came too fast or too long ago. */
  readonly isCut: boolean;
  readonly state: 'connecting' | 'live' | 'lost' | 'over';
}

const AGAIN_MS = 3000;

export function useFeed(): Live {
  const [live, setLive] = useState<Live>({ events: [], questions: [], ahead: 0, isCut: false, state: 'connecting' });
  useEffect(() => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = '';
    const on = <Name extends keyof FeedMessages>(name: Name, take: (live: Live, message: FeedMessages[Name]) => Live): void =>
      source.addEventListener(name, (event: MessageEvent<string>) => {
        last = event.lastEventId;
        const message = JSON.parse(event.data) as FeedMessages[Name];
        setLive((before) => ({ ...take(before, message), state: 'live' }));
      });
    const open = (): void => {
      source = new EventSource(`api/feed${last === '' ? '' : `?after=${encodeURIComponent(last)}`}`);
      on('start', (before, events) => ({ ...before, events: addEvents([], events), isCut: false }));
      on('more', (before, { events, isCut }) => ({
        ...before,
        events: addEvents(before.events, events),
        isCut: before.isCut || isCut,
      }));
      on('questions', (before, { questions, now }) => ({ ...before, questions, ahead: now - Date.now() }));
      source.addEventListener('error', () => {
        // The browser comes back by itself if the connection was lost, and not if it was refused.
        const isClosed = source.readyState === EventSource.CLOSED;
        setLive((before) => ({ ...before, state: isClosed ? 'over' : 'lost' }));
        if (isClosed) timer = setTimeout(open, AGAIN_MS);
      });
    };
    open();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, []);
  return live;
}

export function messageOf(error: unknown): string {
  // The browser's own words for a server that is gone say nothing to people.
  if (error instanceof TypeError || error instanceof SyntaxError) return ENDED;
  return error instanceof Error ? error.message : String(error);
}
