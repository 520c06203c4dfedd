import { describe, expect, it } from 'vitest';
import { HeldLines } from '../../../src/cli/run/run.ts';

function lines(isDrawn: boolean): { said: string[]; held: HeldLines } {
  const said: string[] = [];
  return { said, held: new HeldLines((line) => said.push(line), isDrawn) };
}

describe('HeldLines', () => {
  it('says at a terminal what the agent was not to be written over by, each line once, when it has ended', () => {
    const { said, held } = lines(true);
    held.say('before');
    held.hold();
    for (const line of ['a', 'b', 'a']) held.say(line);
    expect(said).toEqual(['before']);
    held.release();
    held.say('after');
    expect(said).toEqual(['before', 'a', 'b', 'after']);
    held.release();
    expect(said).toHaveLength(4);
  });

  it('says all at once where nothing is drawn', () => {
    const { said, held } = lines(false);
    held.hold();
    held.say('a');
    held.say('a');
    expect(said).toEqual(['a', 'a']);
  });

  it('keeps so many, and counts the others', () => {
    const { said, held } = lines(true);
    held.hold();
    for (let i = 0; i < 53; i++) held.say(`line ${i}`);
    held.say('line 0');
    held.release();
    expect(said).toHaveLength(51);
    expect(said.at(-1)).toBe('3 more lines left out');
  });
});
