import type { Question, QuestionStore } from '../../gate/question-port.ts';
import { isGone } from '../../session/asker.ts';
import { answerQuestion } from './answer-question.ts';
import { formatNotice } from './format-notice.ts';
import type { PrepareAlways } from './always.ts';
import type { RuleChange } from '../policy/edit-policy.ts';
import { draw, type Drawn } from './draw.ts';
import { detailLines } from './question-text.ts';
import { EMPTY_VIEW, press, type Effect, type ViewState, withQuestions } from './view-state.ts';

/** Milliseconds between two looks at what waits. */
const POLL_MS = 250;

/** What the view is shown on. */
export interface ViewTerminal {
  show(lines: readonly string[]): void;
  size(): { readonly columns: number; readonly rows: number };
}

export interface ViewOptions {
  readonly store: QuestionStore;
  /** What waits in it now; undefined where that can't be said just now. */
  readonly waiting: () => readonly Question[] | undefined;
  readonly terminal: ViewTerminal;
  readonly colour: boolean;
  /** Who answers, for the record. */
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
  #change: RuleChange | undefined;
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
    // Until it is known what became of the last key, what the next one would be about is not.
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
    await this.#change?.apply();
    this.#change = undefined;
    const { isTaken, text } = await answerQuestion(store, id, { state: 'granted', by, remember: 'always' });
    if (isTaken) this.#state = { ...this.#state, answered: id };
    this.#notice(isTaken ? text : `the policy was changed. ${text}`);
    this.#look();
  }

  #prepare(change: RuleChange, { id }: Question): void {
    this.#change = change;
    this.#state = {
      ...this.#state,
      scroll: 0,
      confirming: { id, diff: change.diff },
      notice: 'This is what the policy would become.',
    };
  }

  /** What is on the screen takes an answer a moment later. */
  #cameUp(): void {
    this.#state = { ...this.#state, cameUp: this.#options.elapsed() };
  }

  #notice(notice: string): void {
    this.#state = { ...this.#state, notice };
  }
}

/** Those that nobody waits for any more, since the process that asked has ended without a word. Each process is looked at once. */
function goneOf(questions: readonly Question[]): readonly string[] {
  const known = new Map<string, boolean>();
  return questions
    .filter(({ asker }) => {
      const key = `${asker.pid} ${asker.started}`;
      const isOver = known.get(key) ?? isGone(asker);
      known.set(key, isOver);
      return isOver;
    })
    .map(({ id }) => id);
}

/** Laying out a megabyte of arguments takes a while, and each redraw needs the same lines. */
function rememberLast(lay: typeof detailLines): typeof detailLines {
  let last: { readonly id: string; readonly width: number; readonly lines: string[] } | undefined;
  return (question, width) => {
    if (last?.id !== question.id || last.width !== width) last = { id: question.id, width, lines: lay(question, width) };
    return last.lines;
  };
}
