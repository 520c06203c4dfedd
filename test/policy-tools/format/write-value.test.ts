import { expect, it } from 'vitest';
import { writePair, WIDTH } from '../../../src/policy-tools/format/write-value.ts';
import { parseTomlSyntax } from '../../../src/core/policy/toml-layout.ts';

function written(text: string, path: readonly (string | number)[] = []): string {
  const program = parseTomlSyntax(text);
  const [node] = program?.body[0].body ?? [];
  if (program === undefined || node?.type !== 'TOMLKeyValue') throw new Error('no pair');
  return writePair(node, { text, comments: program.comments, eol: '\n' }, { path, indent: '', room: WIDTH });
}

const LONG = ['a', 'b', 'c'].map((letter) => `"${letter.repeat(35)}"`);

it.each([
  ['a   =1_000', 'a = 1_000'],
  ['a=[ ]', 'a = []'],
  ['a=[ "x" , 1,]', 'a = ["x", 1]'],
  ['a=[\n"x",\n]', 'a = ["x"]'],
  ['a={ }', 'a = {}'],
  ['a={x=1,y={z=[ ]}}', 'a = { x = 1, y = { z = [] } }'],
  [`a=[${LONG.join()}]`, `a = [\n  ${LONG.join(',\n  ')},\n]`],
  [`a=[[${LONG.join()}],[1]]`, `a = [\n  [\n    ${LONG.join(',\n    ')},\n  ],\n  [1],\n]`],
  [`a={x=[1,2],y=[${LONG.join()}]}`, `a = { x = [1, 2], y = [\n  ${LONG.join(',\n  ')},\n] }`],
  ['a=[ # 0\n # 1\n"x", # 2\n\n\n"yyy" # 3\n # 4\n]', 'a = [  # 0\n  # 1\n  "x",  # 2\n\n  "yyy",  # 3\n  # 4\n]'],
  ['a=["x", "yyy", # 1\n"z" # 2\n]', 'a = [\n  "x",\n  "yyy",  # 1\n  "z",    # 2\n]'],
  ['a=[ # 0\n]', 'a = [  # 0\n]'],
  ['a={ x=1, # 1\n y = 2 }', 'a = {\n  x = 1,  # 1\n  y = 2,\n}'],
  ['a={ x=[ # 1\n1], y = 2 }', 'a = { x = [  # 1\n  1,\n], y = 2 }'],
  ['a=["""x\n y"""]', 'a = [\n  """x\n y""",\n]'],
])('%s', (text, expected) => {
  expect(written(text)).toBe(expected);
  expect(written(expected)).toBe(expected);
});

it('has the keys of a rule in order, also in one line and among comments', () => {
  expect(written('unless={tool="x", server="y"}', ['rule', 0])).toBe('unless = { server = "y", tool = "x" }');
  expect(written('unless={ # 0\ntool="x", # 1\nserver="y"}', ['rule', 0])).toBe(
    'unless = {  # 0\n  server = "y",\n  tool = "x",  # 1\n}',
  );
  expect(written('rule=[{tool="x", action="deny"}]')).toBe('rule = [{ action = "deny", tool = "x" }]');
  expect(written('args={tool="x", server="y"}', ['rule', 0])).toBe('args = { tool = "x", server = "y" }');
});

it('is an array on one line up to the width, and not beyond', () => {
  const fits = `a = ["${'x'.repeat(WIDTH - 8)}"]`;
  expect([fits.length, written(fits)]).toEqual([WIDTH, fits]);
  expect(written(fits.replace('x', 'xx'))).toContain('\n');
});
