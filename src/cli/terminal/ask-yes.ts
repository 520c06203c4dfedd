import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { SETTLE_MS } from '../approvals/view-state.ts';

/**
 * What ends a command, or its input, in a terminal that hands all keys over: Ctrl-C and Ctrl-D. The end of an input that came before the
 * terminal did so is a zero on Linux.
 */
const LEAVING = /[\u0000\u0003\u0004]/;

/**
 * Asks the person at our terminal about what was just printed. What was typed before that could be read is thrown away, so that nothing
 * is answered unread.
 *
 * @returns whether the answer is yes; the end of the input is none
 */
export async function askYes(question: string): Promise<boolean> {
  if (!(await dropTyped())) return false;
  return new Promise((resolve) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    // Also the end of the input, and Ctrl-C.
    terminal.once('close', () => resolve(false));
    terminal.question(`${question} [y/N] `, (answer) => {
      resolve(answer.trim().toLowerCase() === 'y');
      terminal.close();
    });
  });
}

/** Throws away what is typed for a moment. @returns false where the person wants to leave, or has gone */
async function dropTyped(): Promise<boolean> {
  const { stdin } = process;
  let isLeaving = false;
  const drop = (chunk: Buffer): void => {
    isLeaving ||= LEAVING.test(chunk.toString('latin1'));
  };
  const leave = (): void => {
    isLeaving = true;
  };
  // Otherwise a line that was begun stays where it can't be thrown away.
  stdin.setRawMode(true);
  stdin.on('data', drop).on('end', leave).on('error', leave);
  await setTimeout(SETTLE_MS);
  stdin.off('data', drop).off('end', leave).off('error', leave);
  stdin.pause();
  stdin.setRawMode(false);
  return !isLeaving;
}
