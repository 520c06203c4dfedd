import { expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { createSubject } from '../../../src/core/match/subject.ts';
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
