import { expect, it } from 'vitest';
import { compilePolicy } from '../../../../src/core/policy/compile.ts';
import { createSubject } from '../../../../src/core/policy/subject.ts';
import { policyFrom } from '../../../support/policy.ts';

const policy = compilePolicy(policyFrom(''));

it.each([
  ['git_push', { force: true }, true],
  ['git_push', { force: 'with-lease' }, true],
  ['git_push', { args: ['origin', '+main'] }, true],
  ['git_push', { force: false }, false],
  ['click', { force: true }, false],
  ['git_reset', { mode: 'hard' }, true],
  ['git_reset', { mode: 'soft' }, false],
  ['manage_branch', { action: 'delete' }, true],
  ['manage_label', { action: 'delete' }, false],
  ['query', { sql: 'Drop\n  Table x' }, true],
  ['query', { sql: 'drop/* a */table x' }, true],
  ['query', { sql: '/*!50000 drop table x*/' }, true],
  ['query', { sql: '-- all gone\ntruncate x' }, true],
  ['query', { sql: 'select 1; DELETE FROM x;' }, true],
  ['query', { sql: 'alter table x drop column y' }, true],
  ['query', { sql: 'delete from x where y = 1' }, false],
  ['query', { sql: "select 'drop table x'" }, false],
  ['search', { text: 'drop table x' }, false],
])('%s of %j destroys: %s', (tool, args, destroys) => {
  const subject = createSubject({ method: 'tools/call', server: 's', tool, args }, { policy });
  expect(subject.categories().includes('destroy')).toBe(destroys);
});
