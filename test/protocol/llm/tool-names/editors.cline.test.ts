import { describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { cline } from '../../../../src/protocol/llm/tool-names/editors.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${cline.id} makes them`, () => {
  it.each(
    checksOf(cline, {
      names: [
        ['github', 'get_issue', 'github__get_issue'],
        ['my files', 'read', `my_files__read_${hashOf('my files__read')}`],
        ['files', 'r'.repeat(70), `files__${'r'.repeat(48)}_${hashOf(`files__${'r'.repeat(70)}`)}`],
      ],
      native: ['execute_command', 'read_file'],
      headers: [{ 'user-agent': 'Cline/3.60.0' }],
      unmapped: [
        ['x__y', 'x', 'y'],
        ['known__read_0123abcd', 'known', 'read_0123abcd'],
      ],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 8);
}
