import { createHash } from 'node:crypto';
import { cline } from '../../../../src/protocol/llm/tool-names/cline.ts';
import { testStyle } from '../../../support/tool-names.ts';

testStyle(cline, {
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
});

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 8);
}
