import { describe, expect, it } from 'vitest';
import { normalise } from '../../../../../src/core/detect/normalise/normalise.ts';
import { findTerminal } from '../../../../../src/core/detect/rules/obfuscation/terminal.ts';

describe('findTerminal', () => {
  it.each([
    ['adds [31m numbers', []],
    ['\x1b[31mred\x1b[0m', ['obfuscation.terminal_style low']],
    ['\x1b[38;5;8mgrey', ['obfuscation.terminal_style low']],
    ['\x1b[0;8mx', ['obfuscation.terminal_escape high']],
    ['\x1b[2K', ['obfuscation.terminal_escape high']],
    [String.raw`\x1b[8m`, ['obfuscation.escaped_terminal_escape low']],
  ] as [string, string[]][])('in %j: %j', (text, expected) => {
    const found = findTerminal({ field: 'description', text, normalised: normalise(text) });
    expect(found.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(expected);
  });
});
