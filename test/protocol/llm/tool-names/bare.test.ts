import { bare } from '../../../../src/protocol/llm/tool-names/bare.ts';
import { testStyle } from '../../../support/tool-names.ts';

testStyle(bare, {
  names: [
    ['files', 'read', 'read'],
    ['files', 'mcp__read__it', 'mcp__read__it'],
  ],
  native: ['anything'],
});
