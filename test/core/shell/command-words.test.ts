import { describe, expect, it } from 'vitest';
import { readCommand, wordsToRun } from '../../../src/core/shell/command-words.ts';

describe('readCommand', () => {
  it('looks into quotes, also within quotes, and between brackets', () => {
    expect(wordsToRun(readCommand(`sh -c "bash -c 'a b'"`, true))).toEqual([
      ['sh', '-c', "bash -c 'a b'"],
      ['bash', '-c', 'a b'],
      ['a', 'b'],
      ['sh', '-c', 'bash', '-c', 'a', 'b'],
    ]);
    expect(readCommand('run(["a","b"])', false).loose).toEqual(['run', 'a', 'b']);
  });

  it('gives variables the values that the line gives them', () => {
    expect(wordsToRun(readCommand('C=a; $C b', true))[0]).toEqual(['C=a', ';', 'a', 'b']);
  });

  it('leaves out what is only said, where a shell runs the text', () => {
    const text = `git commit -m "a b" && c "d e"`;
    expect(wordsToRun(readCommand(text, true))).toEqual([[';', 'c', 'd e'], ['d', 'e'], [';', 'c', 'd', 'e'].slice(1)]);
    expect(wordsToRun(readCommand(text, false)).flat()).toContain('commit');
  });

  it('takes a document that stands for a text as one', () => {
    const text = `git commit -m "$(cat <<'EOF'\nit's a b\n\nc\nEOF\n)" && d`;
    expect(wordsToRun(readCommand(text, true)).flat()).not.toContain('b');
    const open = `git commit -m "$(cat <<EOF\na $(b)\nEOF\n)"`;
    expect(wordsToRun(readCommand(open, true)).flat()).toContain('b');
  });
});
