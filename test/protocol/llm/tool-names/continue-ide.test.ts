import { continueIde } from '../../../../src/protocol/llm/tool-names/continue-ide.ts';
import { testStyle } from '../../../support/tool-names.ts';

testStyle(continueIde, {
  names: [
    ['My Files!', 'read', 'my_files_read'],
    ['github', 'github_search', 'github_search'],
  ],
  native: ['read_file', 'ls'],
});
