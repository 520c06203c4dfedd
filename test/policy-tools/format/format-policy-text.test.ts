import { describe, expect, it } from 'vitest';
import { formatPolicyText } from '../../../src/policy-tools/format/format-policy-text.ts';

const RULE = '[[rule]]\naction = "deny"\ntool = "x"\n';

describe('formatPolicyText', () => {
  it.each([
    ['nothing', '', ''],
    ['only empty lines', '\n \n', ''],
    ['only comments', '\n\n# a\n\n\n# b', '# a\n\n# b\n'],
    ['the directive for editors', `#:schema ./x.json\n${RULE}`, `#:schema ./x.json\n${RULE}`],
    ['no end of the last line', RULE.trimEnd(), RULE],
    ['spaces around keys and behind lines', '[ flow ]\n  action="deny"  \n', '[flow]\naction = "deny"\n'],
    ['tables without a line between', `[flow]\n[pinning]\n${RULE}`, `[flow]\n\n[pinning]\n\n${RULE}`],
    ['too many lines between', `${RULE}\n\n\n${RULE}`, `${RULE}\n${RULE}`],
    ['a line below a header', '[flow]\n\naction = "deny"\n', '[flow]\naction = "deny"\n'],
    ['lines between keys', '[flow]\nenabled = true\n\n\naction = "deny"\n', '[flow]\nenabled = true\n\naction = "deny"\n'],
    [
      'a table in one',
      '[rate_limits]\nenabled = true\n[rate_limits.server.a]\nrpm = 1\n',
      '[rate_limits]\nenabled = true\n[rate_limits.server.a]\nrpm = 1\n',
    ],
    ['keys before the first table', 'rule = []\n[flow]\n', 'rule = []\n\n[flow]\n'],
    ['CRLF', RULE.replaceAll('\n', '\r\n'), RULE.replaceAll('\n', '\r\n')],
    ['CRLF in the first line', '[flow]\r\naction="deny"\n', '[flow]\r\naction = "deny"\r\n'],
    ['LF in the first line', '[flow]\naction="deny"\r\n', '[flow]\naction = "deny"\n'],
    [
      'a text of several lines with its own line ends',
      '[[rule]]\r\nid = """\na\r\nb"""\n',
      '[[rule]]\r\nid = """\na\r\nb"""\r\n',
    ],
    ['a BOM', `\uFEFF\n${RULE}`, `\uFEFF${RULE}`],
  ])('%s', (_, text, expected) => {
    expect(formatPolicyText(text)).toBe(expected);
    expect(formatPolicyText(expected)).toBe(expected);
  });

  it.each([
    ['above a key', '[[rule]]\n# c\ntool = "x"\nid = "y"\n', '[[rule]]\nid = "y"\n# c\ntool = "x"\n'],
    ['behind a key', '[[rule]]\ntool = "x" # c\nid = "y"\n', '[[rule]]\nid = "y"\ntool = "x"  # c\n'],
    ['about all of a rule', '[[rule]]\n# c\n\n# d\ntool = "x"\nid = "y"\n', '[[rule]]\n# c\n\nid = "y"\n# d\ntool = "x"\n'],
    ['behind a header', '[flow]# c\n', '[flow]  # c\n'],
    ['above a header', '[flow]\n# c\n[pinning]\n', '[flow]\n\n# c\n[pinning]\n'],
    [
      'at the end of a table',
      '[flow]\naction = "deny"\n# c\n\n# d\n[pinning]\n',
      '[flow]\naction = "deny"\n# c\n\n# d\n[pinning]\n',
    ],
    ['at the end', `${RULE}  # c`, `${RULE}# c\n`],
    ['that looks like a table', `${RULE}# [flow]\n`, `${RULE}# [flow]\n`],
    [
      'behind several keys',
      '[flow]\nenabled = true # c\naction = "deny" # d\n',
      '[flow]\nenabled = true   # c\naction = "deny"  # d\n',
    ],
  ])('a comment %s', (_, text, expected) => {
    expect(formatPolicyText(text)).toBe(expected);
    expect(formatPolicyText(expected)).toBe(expected);
  });

  it.each(['[', 'a = ', 'a = 1\na = 2\n'])('%j is no TOML', (text) => {
    expect(formatPolicyText(text)).toBeUndefined();
  });
});
