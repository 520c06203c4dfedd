import { emitKeypressEvents, type Key } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
/** To the top; each line is cleared before it is written (after a full one, that would take its last character), and what is below the last. */
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Signals that end us, after which the terminal must be as before; those that a shell stops a job with can't come in raw mode. */
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

/** What happens at a terminal. */
export interface TerminalEvents {
  /** A key's name as Node's readline has it, or its character. */
  readonly onKey: (key: string) => void;
  readonly onResize: () => void;
  /** Ctrl-C, a signal, or a terminal that was closed. */
  readonly onEnd: () => void;
}

/** A terminal that is ours as a whole, until `leave`: another screen than the one before, keys as they are pressed. */
export class Terminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #events: TerminalEvents;
  readonly #onKeypress: (character: string | undefined, key: Key) => void;
  #isLeft = false;
  #shown = '';

  constructor(input: ReadStream, output: WriteStream, events: TerminalEvents) {
    this.#input = input;
    this.#output = output;
    this.#events = events;
    this.#onKeypress = (character, key) => {
      // On Linux, an end of the input that came before raw mode is a zero.
      const isLeaving = (key.ctrl === true && (key.name === 'c' || key.name === 'd')) || key.sequence === '\0';
      if (isLeaving) events.onEnd();
      else if (key.ctrl !== true && key.meta !== true) events.onKey(keyName(character, key));
      // A lone escape comes as meta+escape.
      else if (key.name === 'escape') events.onKey('escape');
    };
  }

  enter(): void {
    const { onEnd, onResize } = this.#events;
    emitKeypressEvents(this.#input);
    this.#input.on('keypress', this.#onKeypress).on('end', onEnd).on('close', onEnd).on('error', onEnd);
    this.#input.setRawMode(true);
    this.#input.resume();
    this.#output.on('resize', onResize).on('error', onEnd);
    for (const signal of SIGNALS) process.on(signal, onEnd);
    // Whatever ends us, also a bug.
    process.on('exit', this.#restore);
    this.#output.write(ENTER);
  }

  /** Shows these lines and nothing else; they fit. Writes nothing where they are shown already. */
  show(lines: readonly string[]): void {
    const text = lines.map((line) => CLEAR_LINE + line).join('\r\n');
    if (this.#isLeft || text === this.#shown) return;
    this.#shown = text;
    this.#output.write(HOME + text + CLEAR_BELOW);
  }

  /** The next `show` writes everything anew. */
  forget(): void {
    this.#shown = '';
  }

  leave(): void {
    const { onEnd, onResize } = this.#events;
    this.#restore();
    process.off('exit', this.#restore);
    for (const signal of SIGNALS) process.off(signal, onEnd);
    this.#output.off('resize', onResize);
    this.#input.off('keypress', this.#onKeypress).off('end', onEnd).off('close', onEnd);
    this.#input.pause();
    // Otherwise an input that never ends keeps the process alive.
    this.#input.unref();
  }

  readonly #restore = (): void => {
    if (this.#isLeft) return;
    this.#isLeft = true;
    try {
      this.#input.setRawMode(false);
      this.#output.write(LEAVE);
    } catch {
      // The terminal is gone, and with it what was to be restored.
    }
  };
}

function keyName(character: string | undefined, { name }: Key): string {
  // `Y` is no `y`: a person with caps lock on is told nothing wrong, and decides nothing by accident.
  if (character !== undefined && /^[!-~]$/.test(character)) return character;
  return name ?? '';
}
