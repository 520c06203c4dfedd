import { type ComponentChildren, useEffect, useRef, useState } from './preact.ts';
import type { Loaded } from './requests.ts';

/** A text that stands for good or bad: the word says it too, not the colour alone. */
export function Badge({ text, tone }: { readonly text: string; readonly tone: string }) {
  return <span class={`badge ${tone}`}>{text}</span>;
}

const TONES: Readonly<Record<string, string>> = {
  allow: 'good',
  block: 'bad',
  deny: 'bad',
  hide: 'bad',
  prompt: 'attention',
  alert: 'attention',
  redact: 'attention',
};

export function Action({ action }: { readonly action: string | undefined }) {
  if (action === undefined) return <span class="badge plain">event</span>;
  const [word = ''] = action.split(' ');
  return <Badge text={action.replace(/^block/, 'denied').replace(/^allow$/, 'allowed')} tone={TONES[word] ?? 'plain'} />;
}

export function Severity({ severity }: { readonly severity: string }) {
  return <Badge text={severity} tone={severity === 'high' || severity === 'critical' ? 'bad' : 'attention'} />;
}

/** A time of day, or a date and time if it is not today's. */
export function Time({ time }: { readonly time: number }) {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = isToday ? date.toLocaleTimeString() : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {text}
    </time>
  );
}

/** Text with its lines as they are; it scrolls, by keys too. */
export function Lines({ lines, label, isDiff = false }: { lines: readonly string[]; label: string; isDiff?: boolean }) {
  const parts = isDiff ? lines.map((line) => <span class={toneOfLine(line)}>{`${line}\n`}</span>) : lines.join('\n');
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre class="lines" tabIndex={0} role="region" aria-label={label}>
      {parts}
    </pre>
  );
}

function toneOfLine(line: string): string {
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : '';
}

/** A view that is being read, could not be read, or is there. */
export function View<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const { value, problem, again } = loaded;
  if (problem !== undefined) {
    return (
      <p class="problem" role="alert">
        {problem}{' '}
        <button type="button" onClick={again}>
          Try again
        </button>
      </p>
    );
  }
  return value === undefined ? <p class="quiet">Reading…</p> : <>{children(value)}</>;
}

/** A window over the page, which Escape closes. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog ref={box} onClose={onClose} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" onClick={() => box.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** The time now, every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Calls `act` with each key that is not typed into a field and not one of the browser's own. */
export function useKeys(act: (key: string, event: KeyboardEvent) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey, repeat } = event;
      const isTyped = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (isTyped || ctrlKey || metaKey || altKey || repeat || document.querySelector('dialog[open]') !== null) return;
      latest.current(key, event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

export function count(number: number, thing: string): string {
  return `${number.toLocaleString('en-US')} ${thing}${number === 1 ? '' : 's'}`;
}
