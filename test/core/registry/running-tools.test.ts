import { expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { compilePolicy } from '../../../src/core/policy/compile.ts';
import { createSubject } from '../../../src/core/policy/subject.ts';
import { policyFrom } from '../../support/policy.ts';
import { registryFacts } from '../../support/registry-facts.ts';
import { LABELLED_TOOLS } from './labelled-tools.ts';
import { RUNNING_TOOLS, type RunningTool } from './running-tools.ts';

const policy = compilePolicy(policyFrom(''));

/** Is a call of it one that runs commands? With the parameter in its schema, or in its arguments alone. */
function runs({ name, parameter }: RunningTool, isListed: boolean): boolean {
  const schema = { inputSchema: { type: 'object', properties: { [parameter ?? 'x']: { type: 'string' } } } };
  const args = parameter === undefined || isListed ? {} : { [parameter]: 'id' };
  const call: Call = { method: 'tools/call', server: 's', tool: name, args };
  const registry = registryFacts({ definition: () => JSON.stringify(schema) });
  return createSubject(call, { policy, ...(isListed ? { registry } : {}) })
    .categories()
    .includes('execute');
}

it.each([true, false])(
  'of tools that run commands nineteen of twenty are known, also of those that nothing was made for (listed: %s)',
  (isListed) => {
    const heldOut = RUNNING_TOOLS.filter((_, index) => index % 3 === 2);
    expect(RUNNING_TOOLS.length).toBeGreaterThanOrEqual(150);
    for (const tools of [RUNNING_TOOLS, heldOut]) {
      const missed = tools.filter((tool) => !runs(tool, isListed)).map(({ name }) => name);
      expect(missed.length <= tools.length / 20 ? [] : missed).toEqual([]);
    }
  },
);

it('of public tools that run none, one of fifty at most is taken for one', () => {
  const others = LABELLED_TOOLS.filter(({ categories }) => !categories.includes('execute'));
  const wrong = others.filter(({ name }) => runs({ name }, false)).map(({ name }) => name);
  expect(wrong.length <= others.length / 50 ? [] : wrong).toEqual([]);
});

it('what can be no text is no command, whatever it is called; what the schema does not name may be one', () => {
  const schema = { inputSchema: { properties: { command: { enum: ['view', 'create'] } } } };
  const registry = registryFacts({ definition: () => JSON.stringify(schema) });
  const kinds = (args: Call['args']): readonly string[] =>
    createSubject({ method: 'tools/call', server: 's', tool: 'notes', args }, { policy, registry }).categories();
  expect(kinds({ command: 'view' })).not.toContain('execute');
  expect(kinds({ command: 'view', cmd: 'id' })).toContain('execute');
  expect(kinds({ options: [{ run: { shellScript: 'id' } }] })).toContain('execute');
});

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

it('takes no time in statements and arguments of a megabyte', () => {
  const start = performance.now();
  for (const sql of ['/*'.repeat(500_000), 'drop '.repeat(200_000), '('.repeat(1_000_000), ' ;alter table'.repeat(80_000)]) {
    createSubject({ method: 'tools/call', server: 's', tool: 'query', args: { sql } }, { policy }).categories();
  }
  const rows = Array.from({ length: 100_000 }, (_, id) => ({ id, command: null }));
  const kinds = createSubject({ method: 'tools/call', server: 's', tool: 'get_x', args: { rows } }, { policy }).categories();
  expect(kinds).toContain('unknown');
  expect(performance.now() - start).toBeLessThan(5000);
});
