import { zed } from '../../../../src/protocol/llm/tool-names/zed.ts';
import { testStyle } from '../../../support/tool-names.ts';

testStyle(zed, {
  names: [
    ['files', 'read', 'read'],
    ['myFiles HTTPServer', 'read', 'my_files_http_server_read'],
    ['files', 'r'.repeat(70), 'r'.repeat(64)],
  ],
  native: ['terminal'],
  headers: [{ 'user-agent': 'Zed/0.220.0' }],
});
