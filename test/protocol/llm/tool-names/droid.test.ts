import { droid } from '../../../../src/protocol/llm/tool-names/droid.ts';
import { testStyle } from '../../../support/tool-names.ts';

testStyle(droid, {
  names: [
    ['github', 'get_issue', 'github___get_issue'],
    ['a.b', 'c', 'a_b___c'],
  ],
  native: ['Execute', 'Read'],
  headers: [{ 'user-agent': 'factory-cli/0.50.0' }],
  unmapped: [['x___y', 'x', 'y']],
});
