import { expect, it } from 'vitest';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { readToolFindings } from '../../../src/gate/model/known-tools.ts';
import { EVIL, find } from '../../support/detector.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { policyFrom } from '../../support/policy.ts';
import { defined, sighted } from '../../support/registered.ts';

const CALL = { server: 'files', tool: 't' };

function scanned(): MemoryRegistry {
  const registry = new MemoryRegistry();
  registry.write('files', [sighted('t', EVIL, { isPinned: true }), sighted('other', 'Fine.')]);
  const detections = find('description', EVIL);
  registry.writeScanResult('files', defined('t', EVIL), { version: '1', severity: 'critical', isCut: false, detections });
  return registry;
}

const read = (lines: string, registry: MemoryRegistry, call = CALL) =>
  readToolFindings(registry, compilePolicy(policyFrom(`[detection]\n${lines}`)), call);

it.each([['on_definition = "deny"'], ['on_definition = "hide"'], ['require_approval = true']])('%s', (lines) => {
  const registry = scanned();
  expect(read(lines, registry)).toMatchObject({ findings: [{ rule: 'test.evil' }], ofServer: [], isApproved: false });
  registry.approve('files', 'tool', 't');
  expect(read(lines, registry)).toMatchObject({ isApproved: true });
  expect(read(lines, registry, { ...CALL, tool: 'other' })).toBeUndefined();
  expect(read(lines, registry, { ...CALL, server: 'unknown' })).toBeUndefined();
});

it.each([[''], ['enabled = false\non_definition = "deny"']])('nothing is decided by it: %j', (lines) => {
  expect(read(lines, scanned())).toBeUndefined();
});
