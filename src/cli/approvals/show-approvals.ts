import { openQuestions } from './open-questions.ts';
import { createAlways } from './always.ts';
import { ApprovalsView } from './run-view.ts';
import { Terminal } from './terminal.ts';

export interface ShowOptions {
  readonly config: string | undefined;
  readonly colour: boolean;
  /** Who answers, for the record. */
  readonly by: string;
}

/** Shows the live view on our own terminal until the person quits. */
export async function showApprovals({ config, colour, by }: ShowOptions): Promise<void> {
  const { store, stateDir, isThere } = await openQuestions(config);
  const terminal = new Terminal(process.stdin, process.stdout, {
    onKey: (key) => view.key(key),
    onResize: () => {
      terminal.forget();
      view.redraw();
    },
    onEnd: () => view.end(),
  });
  const view = new ApprovalsView({
    store,
    waiting: () => (isThere() ? store.waiting(Date.now()) : []),
    terminal: {
      show: (lines) => terminal.show(lines),
      // A terminal that doesn't know its size says 0.
      size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    },
    colour,
    by,
    prepareAlways: createAlways(stateDir),
    now: Date.now,
    elapsed: () => performance.now(),
  });
  terminal.enter();
  try {
    await view.run();
  } finally {
    terminal.leave();
    store.close();
  }
}
