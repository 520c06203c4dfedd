import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TypedInput } from '../../../src/core/shell/typed-input.ts';

/** The lines as they stand at each piece. */
function typed(...pieces: readonly string[]): readonly string[] {
  const input = new TypedInput();
  return pieces.map((piece) => {
    const line = preview(input, '1', piece);
    input.type('1', piece, false);
    return line;
  });
}

/** The whole line, as the keys for editing leave it. */
function preview(input: TypedInput, program: string, piece: string): string {
  return input.read(program, piece).lines[0] ?? '';
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
    input.type('1', 'rm -rf', false);
    expect([preview(input, '2', ' ~\n'), preview(input, '1', ' ~\n')]).toEqual([' ~\n', 'rm -rf ~\n']);
  });

  it('what is only looked at is not kept', () => {
    const input = new TypedInput();
    preview(input, '1', 'rm -rf');
    expect(preview(input, '1', ' ~\n')).toBe(' ~\n');
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
      const whole = typed(`${keys.join('')}x`)[0] ?? '';
      expect(whole.endsWith(typed(...keys, 'x').at(-1) ?? '?')).toBe(true);
    }),
  );
});

it('neither lines nor programs grow without end', () => {
  const input = new TypedInput();
  for (let n = 0; n < 1000; n++) input.type(String(n), 'x'.repeat(1000), false);
  expect(preview(input, '0', 'y')).toBe('y');
  for (let n = 0; n < 100; n++) input.type('999', 'x'.repeat(1000), false);
  expect(preview(input, '999', 'y')).toHaveLength(65_536);
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
      const readings = input.read('1', piece).lines;
      input.type('1', piece, false);
      return readings;
    });
    expect(last.at(-1)).toContain(line);
  });

  it('is nothing where nothing is typed', () => {
    expect(new TypedInput().read('1', '')).toEqual({ lines: [], isSure: true });
  });
});

const isSure = (...pieces: readonly string[]): boolean => {
  const input = new TypedInput();
  return (
    pieces.map((piece) => {
      const { isSure: isKnown } = input.read('1', piece);
      input.type('1', piece, false);
      return isKnown;
    })[pieces.length - 1] === true
  );
};

describe('a line is known', () => {
  it.each([
    [['ls\n']],
    [['lx\u007fs\n']],
    [['x\u0015ls\n']],
    [['s -l\u0001l\u0005a\n']],
    [['ls\u001b[D\u001b[Cx\n']],
    [['\u0003']],
    [['\u0004']],
    [['']],
    [['rm\u0012x\n', 'ls\n']],
    [['ls\u0014\u0003', 'ls\n']],
  ])('%j', (pieces) => {
    expect(isSure(...pieces)).toBe(true);
  });

  it.each([
    ['letters change places', 'sl\u0014 \n'],
    ['words do', 'a ls\u001bt\n'],
    ['letters change their case', 'LS\u001b\u0062\u001bl\n'],
    ['or to large ones', 'ls\u001bb\u001bu\n'],
    ['or to one', 'ls\u001bb\u001bc\n'],
    ['the last word comes back', '\u001b.\n'],
    ['what was cut comes back', 'rm -rf ~\u0015\u0019\n'],
    ['or what was cut before', '\u0019\u001by\n'],
    ['an old line is searched', '\u0012rm\n'],
    ['or forward', '\u0013rm\n'],
    ['a key is repeated', '\u001b8x\n'],
    ['a macro runs', '\u0018e\n'],
    ['a word is completed', 'cat /sr\t\n'],
    ['an old line comes back', '\u001b[A\n'],
    ['a sequence is unknown', 'ls\u001b[?9z\n'],
    ['one has another introducer', 'ls\u009bD\n'],
    ['a key is quoted', 'ls\u0016\u0015\n'],
    ['a word is cut, which ends here or there', 'rm -rf;ls\u0017\n'],
    ['the cursor stands within the line', 'rm -rf ~\u0001ls \u0015\n'],
    ['the end of a file stands in it', 'rm\u0004 -rf\n'],
  ])('not if %s', (_what, line) => {
    expect(isSure(line)).toBe(false);
    expect(isSure(...line)).toBe(false);
  });

  it.each([['rm -rf\u001b\n'], ['rm -rf\u0016\r'], ['rm -rf\u0018\n'], ['rm -rf\u001b[\n']])('%j has not ended', (line) => {
    expect(isSure(line, ' ~\n')).toBe(false);
  });

  it('not behind one that was forgotten, nor where more comes than is kept', () => {
    const input = new TypedInput();
    for (let n = 0; n < 257; n++) input.type(String(n), 'rm', false);
    expect([input.read('0', ' x\n').isSure, input.read('new', ' x\n').isSure, input.read('256', ' x\n').isSure]).toEqual([
      false,
      false,
      true,
    ]);
    input.type('256', 'x'.repeat(70_000), false);
    expect(input.read('256', ' x\n').isSure).toBe(false);
  });
});

describe('a piece of which a person decides', () => {
  const asked = (): { input: TypedInput; settle: (isTyped: boolean) => void } => {
    const input = new TypedInput();
    return { input, settle: input.type('1', 'rm', true) };
  };
  const lines = (input: TypedInput): readonly string[] => input.read('1', ' -rf ~\n').lines;

  it('counts both ways, and then only if it was typed', () => {
    const [first, second] = [asked(), asked()];
    expect(lines(first.input)).toEqual(['rm -rf ~\n', ' -rf ~\n']);
    first.settle(false);
    expect(lines(first.input)).toEqual([' -rf ~\n']);
    second.settle(true);
    second.settle(false);
    expect(lines(second.input)).toEqual(['rm -rf ~\n', ' -rf ~\n']);
  });

  it('goes out of the middle of a line', () => {
    const input = new TypedInput();
    input.type('1', 'rm', false);
    const settle = input.type('1', ' x;', true);
    input.type('1', ' -rf', false);
    expect(input.read('1', ' ~\n')).toMatchObject({ lines: ['rm x; -rf ~\n', ' ~\n', 'rm -rf ~\n'], isSure: true });
    settle(false);
    expect(input.read('1', ' ~\n').lines).toEqual(['rm -rf ~\n', ' ~\n']);
  });

  it('leaves the line unknown if there are several', () => {
    const { input } = asked();
    input.type('1', ' -i', true);
    expect(input.read('1', ' ~\n').isSure).toBe(false);
    for (let n = 0; n < 100; n++) input.type('1', 'x', true);
    expect(input.read('1', ' ~\n').lines[0]).toContain('xxx ~');
  });
});

describe('what is typed into a program that nobody knows', () => {
  it('goes on in all lines, and all go on in it', () => {
    const input = new TypedInput();
    input.type('1', 'rm', false);
    input.type('2', 'echo', false);
    expect(input.read(undefined, ' x\n').lines).toEqual([' x\n', 'rm x\n', 'echo x\n']);
    input.type(undefined, 'sudo', false);
    expect(input.read('3', ' x\n').lines).toEqual([' x\n', 'sudo x\n']);
  });
});
