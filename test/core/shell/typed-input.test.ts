import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TypedInput } from '../../../src/core/shell/typed-input.ts';

/** The lines as they stand at each piece. */
function typed(...pieces: readonly string[]): readonly string[] {
  const input = new TypedInput();
  return pieces.map((piece) => {
    const line = input.preview('1', piece);
    input.type('1', piece);
    return line;
  });
}

describe('a line counts as a whole, in however many pieces it comes', () => {
  it.each([
    [['rm -rf', ' ~\n'], 'rm -rf ~\n'],
    [['r', 'm', ' -rf', '', ' ~'], 'rm -rf ~'],
    [['ls\nrm -rf', ' ~\r'], 'rm -rf ~\r'],
    [['rm \\\n', '-rf ~\n'], 'rm \\\n-rf ~\n'],
    [["echo 'a\n", "b'; rm -rf ~\n"], "echo 'a\nb'; rm -rf ~\n"],
    [['echo "a\\"\n', 'b"\n'], 'echo "a\\"\nb"\n'],
    [['sh <<E\n', 'rm -rf ~\n', 'E\n'], 'sh <<E\nrm -rf ~\nE\n'],
    [["sh <<-'E'; x\r\n", 'rm -rf ~'], "sh <<-'E'; x\r\nrm -rf ~"],
  ])('%j', (pieces, line) => {
    expect(typed(...pieces).at(-1)).toBe(line);
  });

  it.each([
    [['ls\n', 'pwd\n'], 'pwd\n'],
    [['ls\r\n', 'pwd'], 'pwd'],
    [['cat <<E\nx\nE\n', 'pwd\n'], 'pwd\n'],
    [['rm -rf\u0003', 'ls\n'], 'ls\n'],
    [['cat <<<x\n', 'ls\n'], 'ls\n'],
    [['ls', ''], ''],
  ])('%j: what is over does not', (pieces, line) => {
    expect(typed(...pieces).at(-1)).toBe(line);
  });

  it('each program has a line of its own', () => {
    const input = new TypedInput();
    input.type('1', 'rm -rf');
    expect([input.preview('2', ' ~\n'), input.preview('1', ' ~\n')]).toEqual([' ~\n', 'rm -rf ~\n']);
  });

  it('what is only looked at is not kept', () => {
    const input = new TypedInput();
    input.preview('1', 'rm -rf');
    expect(input.preview('1', ' ~\n')).toBe(' ~\n');
  });
});

describe('keys that edit a line have done so', () => {
  it.each([
    ['rmx\u007f -rf ~\n', 'rm -rf ~\n'],
    ['rmx\b -rf ~\n', 'rm -rf ~\n'],
    ['ls\u0015rm -rf ~\n', 'rm -rf ~\n'],
    ['rm -r\u0017-rf ~\n', 'rm -rf ~\n'],
    ['-rf ~\u0001rm \n', 'rm -rf ~\n'],
    ['-rf ~\u001b[Hrm \u001b[F/x\n', 'rm -rf ~/x\n'],
    ['m -rf ~\u0001\u001b[C\u001b[D\u0002r\u0006\u0006\u0005\n', 'rm -rf ~\n'],
    ['rm -rf ~ x\u001b[D\u001b[D\u000b\n', 'rm -rf ~\n'],
    ['x\u0001\u001b[3~rm -rf ~\n', 'rm -rf ~\n'],
    [' -rf ~\u0015rm\u0019\n', 'rm -rf ~\n'],
    ['r\u001b[5~m\u001b[1;5A -rf ~\n', 'rm -rf ~\n'],
    ['\u007f\u0017\u0015rm -rf ~\n', 'rm -rf ~\n'],
    ['a\tb\n', 'a\tb\n'],
  ])('%j', (keys, line) => {
    expect(typed(keys)).toEqual([line]);
    expect(typed(...keys).at(-1)).toBe(line);
  });
});

it('a line in any pieces is the same line', () => {
  const key = fc.constantFrom('r', 'm', ' ', '\n', '\r', '"', "'", '\\', '<<E', 'E', '\u007f', '\u0015', '\u0003', '\u001b[D');
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 30 }), (keys) => {
      const whole = typed(keys.join(''))[0] ?? '';
      expect(whole.endsWith(typed(...keys).at(-1) ?? '')).toBe(true);
    }),
  );
});

it('neither lines nor programs grow without end', () => {
  const input = new TypedInput();
  for (let n = 0; n < 1000; n++) input.type(String(n), 'x'.repeat(1000));
  expect(input.preview('0', 'y')).toBe('y');
  for (let n = 0; n < 100; n++) input.type('999', 'x'.repeat(1000));
  expect(input.preview('999', 'y')).toHaveLength(65_536);
});

describe('all that a program may read', () => {
  it.each([
    ['a key that ends nothing in a line that has begun', ['rm -rf\u0004 ~\n'], 'rm -rf ~\n'],
    ['the same in two pieces', ['rm -rf\u0004', ' ~\n'], 'rm -rf ~\n'],
    ['a quoted key', ['rm -rf ~;\u0016\u0015ls\n'], 'rm -rf ~;ls\n'],
    ['keys in a paste', ['\u001b[200~rm -rf ~;\u0015ls\u001b[201~\n'], 'rm -rf ~;ls\n'],
    ['keys that the program takes as they are', ['rm -rf ~;\u0001\u000bls\n'], 'rm -rf ~;ls\n'],
    ['what comes before very much', [`rm -rf ~ #${'a'.repeat(65_536)}\n`], `rm -rf ~ #${'a'.repeat(65_536)}\n`],
    ['a line behind one that only looks unfinished', ['ls $((1<<3))\n', 'rm -rf ~\n'], 'rm -rf ~\n'],
    ['a line behind a quote in a comment', ["ls # it's\n", 'rm -rf ~\n'], 'rm -rf ~\n'],
  ])('has %s', (_what, pieces, line) => {
    const input = new TypedInput();
    const last = pieces.map((piece) => {
      const readings = input.readings('1', piece);
      input.type('1', piece);
      return readings;
    });
    expect(last.at(-1)).toContain(line);
  });

  it('is nothing where nothing is typed', () => {
    expect(new TypedInput().readings('1', '')).toEqual([]);
  });
});
