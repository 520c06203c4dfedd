import { opencode } from '../../../../src/protocol/llm/tool-names/opencode.ts';
import { testStyle } from '../../../support/tool-names.ts';

testStyle(opencode, {
  names: [
    ['github', 'get_issue', 'github_get_issue'],
    ['my.files', 'read it', 'my_files_read_it'],
    ['my-files', 'read', 'my-files_read'],
  ],
  native: ['bash', 'webfetch'],
  headers: [{ 'user-agent': 'opencode/1.4.0 ai-sdk/provider' }],
  unmapped: [['mcp__x__y', 'x', 'y']],
});
