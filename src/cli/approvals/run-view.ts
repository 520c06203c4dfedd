import { emitKeypressEvents, type Key } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { ClawaiError } from '../../errors.ts';
import type { Question, QuestionStore } from '../../gate/ports/approval-port.ts';
import type { RuleChanges } from '../policy/edit-policy.ts';
import { printable } from '../terminal/text.ts';
import type { PrepareAlways } from './always.ts';
import { answerQuestion, goneOf } from './answer-question.ts';
import { draw, type Drawn } from './draw.ts';
import { detailLines } from './question-text.ts';
import { EMPTY_VIEW, press, type Effect, type ViewState, withQuestions } from './view-state.ts';

/** Milliseconds between two looks at what waits. */
const POLL_MS = 250;

/** The terminal that shows the view. */
interface ViewTerminal {
  show(lines: readonly string[]): void;
  size(): { readonly columns: number; readonly rows: number };
}

interface ViewOptions {
  readonly store: QuestionStore;
  /** The questions that wait in the store; undefined if they can't be read just now. */
  readonly waiting: () => readonly Question[] | undefined;
  readonly terminal: ViewTerminal;
  readonly colour: boolean;
  /** The person who answers, for the record. */
  readonly by: string;
  readonly prepareAlways: PrepareAlways;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds on a clock that never jumps. */
  readonly elapsed: () => number;
}

/** The live view of what waits: takes keys, shows what there is, answers. */
export class ApprovalsView {
  readonly #options: ViewOptions;
  readonly #details = rememberLast(detailLines);
  #state: ViewState = EMPTY_VIEW;
  #drawn: Drawn = { lines: [], page: 1, scroll: 0, isTooSmall: false };
  #changes: RuleChanges | undefined;
  #isBusy = false;
  #timer: NodeJS.Timeout | undefined;
  #finish: () => void = () => {};

  constructor(options: ViewOptions) {
    this.#options = options;
  }

  /** Shows what waits until the person quits. Rejects where the store can't be used. */
  async run(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#finish = resolve;
      const look = (): void => {
        try {
          this.#look();
        } catch (thrown) {
          clearInterval(this.#timer);
          reject(thrown);
        }
      };
      this.#timer = setInterval(look, POLL_MS);
      look();
    });
  }

  end(): void {
    clearInterval(this.#timer);
    this.#finish();
  }

  key(key: string): void {
    // Keys are ignored until the effect of the last one is known: what they would be about is not.
    if (this.#isBusy) return;
    if (this.#drawn.isTooSmall && key !== 'q') return;
    // `end` scrolls as far as there is something to see.
    const current = { ...this.#state, scroll: this.#drawn.scroll };
    const { state, effect } = press(current, key, { now: this.#options.elapsed(), page: this.#drawn.page });
    this.#state = state;
    if (effect?.kind === 'quit') return this.end();
    this.redraw();
    if (effect === undefined) return;
    this.#isBusy = true;
    void this.#carryOut(effect)
      .catch((thrown: unknown) => this.#notice(formatNotice(thrown)))
      .finally(() => {
        this.#isBusy = false;
        // Keys that were pressed meanwhile are read now.
        this.#cameUp();
        this.redraw();
      });
  }

  redraw(): void {
    const { terminal, colour, now } = this.#options;
    const { isTooSmall } = this.#drawn;
    this.#drawn = draw(this.#state, { ...terminal.size(), colour }, { now: now(), details: this.#details });
    terminal.show(this.#drawn.lines);
    if (isTooSmall) this.#cameUp();
  }

  #look(): void {
    const { store, waiting, now, elapsed } = this.#options;
    const found = waiting();
    // Taken by others just now; the next look is soon.
    if (found !== undefined) {
      const gone = goneOf(found);
      if (gone.length > 0) store.end(gone, 'withdrawn', now());
      this.#state = withQuestions(
        this.#state,
        found.filter(({ id }) => !gone.includes(id)),
        elapsed(),
      );
    }
    this.redraw();
  }

  async #carryOut(effect: Exclude<Effect, { kind: 'quit' }>): Promise<void> {
    const { store, by, prepareAlways } = this.#options;
    const { id } = effect;
    if (effect.kind === 'answer') {
      const { isTaken, text } = await answerQuestion(store, id, { state: effect.state, by, remember: effect.remember });
      if (isTaken) this.#state = { ...this.#state, answered: id };
      this.#notice(text);
      this.#look();
      return;
    }
    const question = this.#state.questions.find((waiting) => waiting.id === id);
    if (question === undefined) return this.#notice(`${id} does not wait any more.`);
    if (effect.kind === 'prepare') return this.#prepare(await prepareAlways(question), question);
    await this.#changes?.[effect.at]?.apply();
    this.#changes = undefined;
    const { isTaken, text } = await answerQuestion(store, id, { state: 'granted', by, remember: 'always' });
    if (isTaken) this.#state = { ...this.#state, answered: id };
    this.#notice(isTaken ? text : `the policy was changed. ${text}`);
    this.#look();
  }

  #prepare(changes: RuleChanges, { id }: Question): void {
    this.#changes = changes;
    this.#state = {
      ...this.#state,
      scroll: 0,
      confirming: { id, choices: changes, at: 0 },
      notice: 'This is what the policy would become.',
    };
  }

  /** Notes the time of a change on the screen: it takes an answer only a moment later. */
  #cameUp(): void {
    this.#state = { ...this.#state, cameUp: this.#options.elapsed() };
  }

  #notice(notice: string): void {
    this.#state = { ...this.#state, notice };
  }
}

/** Laying out a megabyte of arguments takes a while, and each redraw needs the same lines. */
function rememberLast(lay: typeof detailLines): typeof detailLines {
  let last: { readonly id: string; readonly width: number; readonly lines: string[] } | undefined;
  return (question, width) => {
    if (last?.id !== question.id || last.width !== width) last = { id: question.id, width, lines: lay(question, width) };
    return last.lines;
  };
}

/** The error in one line. */
function formatNotice(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const hint = thrown instanceof ClawaiError && thrown.hint !== undefined ? ` (${thrown.hint})` : '';
  return printable(`${message}${hint}`);
}

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
/** To the top; each line is cleared before it is written (after a full one, that would take its last character), and what is below the last. */
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Signals that end us, after which the terminal must be as before; those that a shell stops a job with can't come in raw mode. */
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

/** An event at a terminal. */
interface TerminalEvents {
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
      // An end of the input before raw mode arrives as a zero on Linux.
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
    // The terminal is restored at any end of ours, also by a bug.
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
