import type { GivenAnswer, Question } from '../../gate/ports/approval-port.ts';

/** Milliseconds for which a question or a change of the policy has to be on the screen before it takes an answer: keys before were meant for another. */
export const SETTLE_MS = 600;

/** The state of the view, except the size of the terminal. */
export interface ViewState {
  readonly questions: readonly Question[];
  /** Id of the question that keys are about. */
  readonly selected: string | undefined;
  /** The time at which that question, or the change below, came on the screen. Milliseconds on the clock of `now`, which never jumps. */
  readonly cameUp: number;
  /** The number of detail lines scrolled away. */
  readonly scroll: number;
  /** The result of the last key or answer. */
  readonly notice: string;
  /** Id of the question that was answered here last. */
  readonly answered: string | undefined;
  /** Changes of the policy, of which the chosen one waits for a yes. */
  readonly confirming: Confirming | undefined;
}

/** Changes of the policy to choose from, for the question of that id. */
export interface Confirming {
  readonly id: string;
  readonly choices: readonly { readonly words: string; readonly diff: string }[];
  /** The position of the chosen one. */
  readonly at: number;
}

export type Effect =
  | { readonly kind: 'quit' }
  | { readonly kind: 'answer'; readonly id: string; readonly state: GivenAnswer['state']; readonly remember: 'once' | 'session' }
  | { readonly kind: 'prepare'; readonly id: string }
  | { readonly kind: 'apply'; readonly id: string; readonly at: number };

export interface Pressed {
  readonly state: ViewState;
  readonly effect?: Effect;
}

export const EMPTY_VIEW: ViewState = {
  questions: [],
  selected: undefined,
  cameUp: 0,
  scroll: 0,
  notice: '',
  answered: undefined,
  confirming: undefined,
};

/**
 * The view with the questions that wait now. A selection moves on by itself only from a question that the person has just answered, and
 * what it moves to takes no answer for a moment.
 */
export function withQuestions(state: ViewState, questions: readonly Question[], now: number): ViewState {
  const next = { ...state, questions };
  if (state.selected === undefined) {
    // A person has to choose the next question if the chosen one is gone.
    const [first] = questions;
    return first === undefined || state.questions.length > 0 ? next : { ...next, selected: first.id, cameUp: now, scroll: 0 };
  }
  if (questions.some(({ id }) => id === state.selected)) return next;
  const gone = { ...next, scroll: 0, confirming: undefined };
  if (state.answered !== state.selected) {
    return { ...gone, selected: undefined, notice: `${state.selected} does not wait any more.` };
  }
  const at = state.questions.findIndex(({ id }) => id === state.selected);
  const following = questions[Math.min(Math.max(0, at), questions.length - 1)];
  return { ...gone, selected: following?.id, cameUp: now };
}

/**
 * Applies a key. `page`: lines of details that are seen at once.
 *
 * @param key a name as Node's readline gives it, or a character
 */
export function press(state: ViewState, key: string, { now, page }: { readonly now: number; readonly page: number }): Pressed {
  const scrolled = scrollBy(key, page);
  if (scrolled !== undefined) return { state: { ...state, scroll: Math.max(0, state.scroll + scrolled) } };
  if (state.confirming !== undefined) return confirm(state, key, { now, confirming: state.confirming });
  if (key === 'q' || key === 'escape') return { state, effect: { kind: 'quit' } };
  if (key === 'up' || key === 'k') return { state: move(state, -1, now) };
  if (key === 'down' || key === 'j') return { state: move(state, 1, now) };
  return decide(state, key, now);
}

function decide(state: ViewState, key: string, now: number): Pressed {
  if (!['y', 's', 'a', 'n'].includes(key)) return { state };
  const question = state.questions.find(({ id }) => id === state.selected);
  if (question === undefined) return { state: { ...state, notice: 'Choose a request first.' } };
  if (!isSettled(state, now)) {
    return { state: { ...state, notice: 'This request has only just come up: look at it, and press again.' } };
  }
  const { id } = question;
  if (key === 'y') return { state, effect: { kind: 'answer', id, state: 'granted', remember: 'once' } };
  if (key === 'n') return { state, effect: { kind: 'answer', id, state: 'refused', remember: 'once' } };
  if (key === 'a') return { state, effect: { kind: 'prepare', id } };
  if (!question.canRemember) {
    return { state: { ...state, notice: `${id}: what it sends is not known, so it can only be allowed once.` } };
  }
  return { state, effect: { kind: 'answer', id, state: 'granted', remember: 'session' } };
}

function confirm(
  state: ViewState,
  key: string,
  { now, confirming }: { readonly now: number; readonly confirming: Confirming },
): Pressed {
  const { id, choices, at } = confirming;
  if (key === 'y') {
    if (!isSettled(state, now)) {
      return { state: { ...state, notice: 'This change has only just come up: look at it, and press again.' } };
    }
    return { state: { ...state, confirming: undefined, cameUp: now }, effect: { kind: 'apply', id, at } };
  }
  if (key === 'n' || key === 'q' || key === 'escape') {
    const notice = `${id}: the policy stays as it is; the request still waits.`;
    return { state: { ...state, confirming: undefined, cameUp: now, scroll: 0, notice } };
  }
  const chosen = /^[1-9]$/.test(key) ? Number(key) - 1 : at;
  const choice = choices[chosen];
  if (chosen === at || choice === undefined) return { state };
  const notice = `This rule would allow ${choice.words}.`;
  return { state: { ...state, confirming: { ...confirming, at: chosen }, cameUp: now, scroll: 0, notice } };
}

function isSettled({ cameUp }: ViewState, now: number): boolean {
  return now - cameUp >= SETTLE_MS;
}

function scrollBy(key: string, page: number): number | undefined {
  if (key === 'pagedown' || key === 'space') return page;
  if (key === 'pageup' || key === 'b') return -page;
  if (key === 'home') return Number.NEGATIVE_INFINITY;
  // Drawing knows how far it goes.
  return key === 'end' ? Number.MAX_SAFE_INTEGER : undefined;
}

function move(state: ViewState, by: number, now: number): ViewState {
  const { questions, selected } = state;
  const at = questions.findIndex(({ id }) => id === selected);
  const to = at === -1 ? 0 : Math.min(questions.length - 1, Math.max(0, at + by));
  if (to === at) return { ...state, notice: '' };
  return { ...state, selected: questions[to]?.id, cameUp: now, scroll: 0, notice: '' };
}
