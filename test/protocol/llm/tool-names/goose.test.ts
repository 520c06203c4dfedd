import { goose } from '../../../../src/protocol/llm/tool-names/goose.ts';
import { testStyle } from '../../../support/tool-names.ts';

testStyle(goose, {
  names: [
    ['My Files', 'read', 'myfiles__read'],
    ['a.b', 'c.d', 'a_b__c.d'],
  ],
  native: ['developer__shell', 'shell'],
  headers: [{ 'user-agent': 'goose/1.20.0' }],
  unmapped: [['x__y', 'x', 'y']],
});
