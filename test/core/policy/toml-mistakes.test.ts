import { describe, expect, it } from 'vitest';
import { parseToml } from '../../../src/core/policy/toml.ts';

const RULE = '[[rule]]\naction = "deny"\n';
const CHARACTERS = 'a key needs quotes if it has more than letters, digits, "-" and "_"';
const LIST = 'the list that begins here is not closed';
const INLINE = 'the inline table that begins here is not closed';
const COMMA = 'a comma is missing before this';

/** Returns what is said of a text: `line:column message; hint`. */
function explained(text: string): string {
  const result = parseToml(text);
  if (result.ok) throw new Error(`${text} is TOML`);
  const { line, column, message, hint } = result.syntax;
  return `${line}:${column} ${message}; ${hint ?? 'no hint'}`;
}

describe('explainTomlError', () => {
  it.each([
    ['action = deny', '1:10 a text needs quotes; write "deny"'],
    ['action = deny # all', '1:10 a text needs quotes; write "deny"'],
    ['\uFEFFaction = deny\r\ntool = 1', '1:10 a text needs quotes; write "deny"'],
    ['action = deny"', '1:10 a text needs quotes; write "deny"'],
    ['tool = read_*', '1:8 a text needs quotes; write "read_*"'],
    ['tool = trueish', '1:8 a text needs quotes; write "trueish"'],
    ['window = 5m', '1:10 a text needs quotes; write "5m"'],
    ['path = C:\\x', "1:8 a text needs quotes; write 'C:\\x'"],
    ['args = { path = /etc/** }', '1:17 a text needs quotes; write "/etc/**"'],
    ['tool = ["a", read, "b"]', '1:14 a text needs quotes; write "read"'],
    [`tool = ${'read'.repeat(20)}`, '1:8 a text needs quotes; write "…"'],
    ['tool = “x”', '1:8 a text needs straight quotes; write "x"'],
    ['on = True', '1:6 true and false are written in lower case; write true'],
    ['action =\ntool = 1', '1:9 a value is missing here; write one'],
  ])('a value: %j', (text, said) => expect(explained(text)).toBe(said));

  it.each([
    ['[rule\naction = "deny"', "1:6 the header's closing ] is missing; write [[rule]]"],
    ['[[rule\naction = "deny"', "1:7 the header's closing ]] is missing; write [[rule]]"],
    ['[[rule]\naction = "deny"', "1:8 the header's closing ] is missing; write [[rule]]"],
    ['\n[defaults # all', "2:10 the header's closing ] is missing; write [defaults]"],
    ['[rule]]', '1:1 the header closes more brackets than it opens; write [[rule]]'],
    ['[a]]', '1:1 the header closes more brackets than it opens; write [[a]]'],
    ['[[rule]] action = "deny"', '1:10 a header has a line of its own; write what follows it on the next line'],
    ['[my table]', `1:5 ${CHARACTERS}; write ["my table"]`],
    ['[]', '1:1 the header has no name; write a name between its brackets'],
    ['[rule]\n[rule]', '2:1 this table is defined a second time here; write [[rule]]'],
    ['[a]\n[a]', '2:1 this table is defined a second time here; write its header once'],
  ])('a header: %j', (text, said) => expect(explained(text)).toBe(said));

  it.each([
    [`${RULE}tool = ["a", "b"\n\n${RULE}`, `3:8 ${LIST}; write ] at its end`],
    [`${RULE}tool = ["a", # ]\n "b",\n\n${RULE}`, `3:8 ${LIST}; write ] at its end`],
    ['tool = ["a", "]"\naction = "deny"', `1:8 ${LIST}; write ] at its end`],
    ['tool = ["a",\n', `1:8 ${LIST}; write ] at its end`],
    ['tool = [', `1:8 ${LIST}; write ] at its end`],
    ['args = { path = ["x" }\ntool = ["a"]', `1:17 ${LIST}; write ] at its end`],
    [`args = { path = "x"\n\n${RULE}`, `1:8 ${INLINE}; write } at its end`],
    [`args = { path = "x",\n\n${RULE}`, `1:8 ${INLINE}; write } at its end`],
    ['args = { path = "x"\ntool = "a"', `1:8 ${INLINE}; write } at its end`],
    ['args = { path = "x"', `1:8 ${INLINE}; write } at its end`],
    ['args = { a = "x"\nb = "a" }', `2:1 ${COMMA}; write a comma between the parts of a list or an inline table`],
    ['tool = [\n "a"\n "b"\n]', `3:2 ${COMMA}; write a comma between the parts of a list or an inline table`],
    ['tool = "a" ]', '1:12 this ] closes nothing; remove it'],
  ])('a bracket or a comma: %j', (text, said) => expect(explained(text)).toBe(said));

  it.each([
    ['my tool = "x"', `1:1 ${CHARACTERS}; write "my tool"`],
    [`${RULE}  args./etc = "x"`, `3:3 ${CHARACTERS}; write args."/etc"`],
    ['args = { ** = "x" }', `1:10 ${CHARACTERS}; write it in quotes`],
    ['tool: "x"', '1:5 a key needs "=" and a value; write KEY = VALUE'],
    ['= "x"', '1:1 there is no key before "="; write KEY = VALUE'],
    ['// all', '1:1 a comment begins with #; write # at its beginning'],
    ['a = 1\na = 2', '2:1 this key or table is defined a second time here; write it once'],
    ['tool = "a", "b"', '1:11 a key takes one value; write several as a list, such as ["a", "b"]'],
    [
      'a = "b" c = "d"',
      '1:9 something follows the value on its line; write each key on a line of its own, and # before a comment',
    ],
  ])('a key: %j', (text, said) => expect(explained(text)).toBe(said));

  it.each([
    ['a = "b\nc = 1', '1:7 the closing quote of the text is missing; write it at the end of the text'],
    ['a = """b', '1:5 the text that begins here is not closed; write """ at its end'],
    ['a = "\u0007"', '1:6 a text cannot have a control character; write it as an escape, such as "\\u0007"'],
    [
      'a = "C:\\Users"',
      "1:10 in double quotes, a backslash has a meaning of its own; write the text in single quotes, as '\\d+', or each backslash twice",
    ],
    ['a = 007', '1:5 illegal leading zero; no hint'],
  ])('a text or a number: %j', (text, said) => expect(explained(text)).toBe(said));

  it.each(['x = a', 'x = "', '[', 'x = [', 'x = {', "x = '''", 'a"', '[[[', 'a.'])(
    'reads a long text in time that grows with its length: %j',
    (part) => {
      for (const filler of [' ', '"', "'", '[', '{', 'a', '\n', '\n"""', '\n[a', ',', '#']) {
        expect(parseToml(part + filler.repeat(50_000)).ok).toBe(false);
      }
    },
    20_000,
  );
});
