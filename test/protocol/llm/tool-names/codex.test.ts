import { describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { codex } from '../../../../src/protocol/llm/tool-names/codex.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${codex.id} makes them`, () => {
  it.each(
    checksOf(codex, {
      names: [
        ['files', 'read', 'read', 'mcp__files'],
        ['files', 'read', 'read', 'files'],
        ['my-files', 'read-it', 'read_it', 'mcp__my_files'],
        // Two servers whose names come out alike.
        ['a-b', 'read', 'read', 'mcp__a_b_e0598e406614'],
        ['a_b', 'read', 'read', 'mcp__a_b_909e3df97957'],
        ['files', 'read', 'mcp__files__read'],
        ['files', 'read', 'files__read'],
        [
          'files',
          'r'.repeat(70),
          `${'r'.repeat(39)}_${hashOf(`files\0files\0\0${'r'.repeat(70)}\0${'r'.repeat(70)}`, 12)}`,
          'mcp__files',
        ],
        [
          's'.repeat(70),
          'read',
          `_${hashOf(`${'s'.repeat(70)}\0${'s'.repeat(70)}\0\0read\0read`, 12)}`,
          `mcp__${'s'.repeat(44)}`,
        ],
        ['files', 'r'.repeat(70), `mcp__files__${'r'.repeat(12)}${hashOf(`mcp__files__${'r'.repeat(70)}`, 40)}`],
      ],
      native: ['shell', 'apply_patch', 'update_plan', 'exec_command', 'write_stdin', 'exec', 'view_image', 'local_shell'],
      headers: [{ 'user-agent': 'codex_cli_rs/0.169.0 (Linux)' }],
      unmapped: [
        ['mcp__x__y', 'x', 'y'],
        ['x__y', 'x', 'y'],
        [`mcp__known__read_${'a'.repeat(12)}`, 'known', `read_${'a'.repeat(12)}`],
      ],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

function hashOf(text: string, digits: number): string {
  return createHash('sha1').update(text).digest('hex').slice(0, digits);
}
