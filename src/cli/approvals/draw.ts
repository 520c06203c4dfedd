import type { Question } from '../../gate/ports/approval-port.ts';
import { cutToWidth, padToWidth, visible } from '../terminal/text.ts';
import { wrap } from '../terminal/json.ts';
import { detailLines, subjectText, timeLeft } from './question-text.ts';
import type { Confirming, ViewState } from './view-state.ts';
import { painter } from '../terminal/colour.ts';

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
}

export interface Drawn {
  /** The lines of the screen: at most the terminal's rows, none wider than it. */
  readonly lines: readonly string[];
  /** Lines of details that are seen at once, and how many of them are scrolled away in fact. */
  readonly page: number;
  readonly scroll: number;
  /** True if nothing can be seen, so nothing can be decided. */
  readonly isTooSmall: boolean;
}

/** The least that a view can be shown in. */
const LEAST = { columns: 20, rows: 8 } as const;

const KEYS = 'y once  s this session  a always  n deny  j/k choose  space scroll  q quit';
const CONFIRM_KEYS = 'y change the policy so  n leave it as it is  space scroll';

/** The keys for other changes, each with what it allows, after those that make one or none. */
function confirmKeys({ choices, at }: Confirming): string {
  const others = choices.flatMap(({ words }, index) => (index === at ? [] : [`  ${index + 1} ${visible(words)}`]));
  return CONFIRM_KEYS + others.join('');
}

/** A gutter that no text of a peer's ever stands in, so that none can look like ours. */
const GUTTER = '| ';

/** The whole view as lines. Pure; the details of a long question are laid out by `details`, which may remember them. */
export function draw(
  state: ViewState,
  screen: Screen,
  { now, details = detailLines }: { readonly now: number; readonly details?: typeof detailLines },
): Drawn {
  const { columns, rows } = screen;
  if (columns < LEAST.columns || rows < LEAST.rows) {
    return { lines: ['too small'.slice(0, columns)], page: 1, scroll: state.scroll, isTooSmall: true };
  }
  const paint = painter(screen);
  const { questions, selected, confirming, notice } = state;
  const count = questions.length;
  const title =
    count === 0 ? 'clawai: nothing waits for you' : `clawai: ${count} ${count === 1 ? 'call waits' : 'calls wait'} for you`;
  const list = listLines(state, { columns, most: Math.max(1, Math.floor((rows - 4) / 3)), now });
  const room = rows - list.length - 4;
  const question = questions.find(({ id }) => id === selected);
  const width = columns - GUTTER.length;
  const all =
    confirming === undefined
      ? question === undefined
        ? []
        : details(question, width)
      : diffLines(confirming.choices[confirming.at]?.diff ?? '', width);
  const page = Math.max(1, room);
  const scroll = Math.min(state.scroll, Math.max(0, all.length - page));
  const shown = all.slice(scroll, scroll + page);
  const place = all.length > page ? `  lines ${scroll + 1}-${scroll + shown.length} of ${all.length}` : '';
  const lines = [
    paint('bold', cutToWidth(title + place, columns - 1)),
    ...list.map(({ text, isSelected }) => (isSelected ? paint('inverse', text) : text)),
    '',
    ...shown.map((line) => `${paint('dim', GUTTER)}${line}`),
    ...Array.from({ length: Math.max(0, room - shown.length) }, () => ''),
    paint('yellow', cutToWidth(notice, columns - 1)),
    paint('dim', cutToWidth(confirming === undefined ? KEYS : confirmKeys(confirming), columns - 1)),
  ];
  return { lines, page, scroll, isTooSmall: false };
}

/** The questions around the selected one, one line each. */
function listLines(
  { questions, selected }: ViewState,
  { columns, most, now }: { readonly columns: number; readonly most: number; readonly now: number },
): readonly { readonly text: string; readonly isSelected: boolean }[] {
  const at = Math.max(
    0,
    questions.findIndex(({ id }) => id === selected),
  );
  const start = Math.max(0, Math.min(at - Math.floor(most / 2), questions.length - most));
  return questions.slice(start, start + most).map((question) => {
    const isSelected = question.id === selected;
    return { text: listLine(question, { columns, now, mark: isSelected ? '> ' : '  ' }), isSelected };
  });
}

function listLine(question: Question, { columns, now, mark }: { columns: number; now: number; mark: string }): string {
  const left = timeLeft(question, now).padStart(6);
  const text = `${mark}${question.id}${left}  ${cutToWidth(visible(question.server), 24)}  ${subjectText(question)}`;
  return padToWidth(cutToWidth(text, columns - 1), columns - 1);
}

function diffLines(diff: string, width: number): string[] {
  return diff.split('\n').flatMap((line) => wrap(visible(line), width));
}
