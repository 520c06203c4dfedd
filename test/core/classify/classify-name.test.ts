import { expect, it } from 'vitest';
import { classifyName } from '../../../src/core/classify/classify-name.ts';

it.each([
  ['http_get', ['read', 'send']],
  ['http_delete', ['send']],
  ['API-post-search', ['read']],
  ['API-post-page', ['write']],
  ['api-get', ['read']],
  ['open_url', ['read', 'send']],
  ['execute_sql', ['read', 'write', 'compute']],
  ['run_tests', ['write', 'compute', 'execute']],
  ['create_pull_request', ['write']],
  ['make_request', ['read', 'write', 'send']],
  ['add_comment_to_page', ['send', 'write']],
  ['weather', ['read']],
  ['evaluate_expression', ['compute']],
  ['browser_evaluate', ['compute', 'write', 'execute']],
  ['list_emails_and_forward', ['read', 'send']],
  ['nothing_here', []],
] as const)('%s: %j', (name, categories) => {
  expect([...classifyName(name)].toSorted()).toEqual(categories.toSorted());
});
