import { expect, it } from 'vitest';
import { isProviderTool, providerToolOf } from '../../../../src/protocol/llm/gemini/keys.ts';

it.each([
  ['GOOGLE_SEARCH_IMAGE', 'googleSearch'],
  ['URL_CONTEXT', 'urlContext'],
  ['codeExecution', 'codeExecution'],
  ['SOMETHING_NEW', 'SOMETHING_NEW'],
])('a call of type %s is one of %s', (type, name) => {
  expect(providerToolOf(type)).toBe(name);
});

it.each([
  ['function', false],
  ['computerUse', false],
  ['googleSearch', true],
  ['somethingNew', true],
])('a tool of type %s is run by the provider: %s', (type, isProviders) => {
  expect(isProviderTool({ type })).toBe(isProviders);
});
