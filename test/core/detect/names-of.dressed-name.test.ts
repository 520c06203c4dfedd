import { expect, it } from 'vitest';
import { createDetector } from '../../../src/core/detect/create-detector.ts';
import type { DefinitionInput } from '../../../src/core/detect/types.ts';

const CONTEXT = { server: 's', tools: [], others: new Map() };

function rulesOf(
  input: Pick<DefinitionInput, 'kind' | 'name'>,
  families: Readonly<Record<string, boolean>> = {},
): readonly string[] {
  const value = { name: input.name, description: 'Runs a command.' };
  const [found] = createDetector({ families, patterns: [] }).definitions([{ ...input, value }], CONTEXT);
  return found?.detections.map(({ rule, severity }) => `${severity} ${rule}`) ?? [];
}

it.each(['bash ', 'ba\u200bsh', 'bash\n', 'ba\0sh'])('a tool or prompt called %j is told of', (name) => {
  expect(rulesOf({ kind: 'tool', name })).toContain('high obfuscation.dressed_name');
  expect(rulesOf({ kind: 'prompt', name })).toContain('high obfuscation.dressed_name');
  expect(rulesOf({ kind: 'tool', name }, { obfuscation: false })).toEqual([]);
});

it('other names are not, nor are resources, which have URIs', () => {
  for (const name of ['bash', 'Run a command', 'écrire', '✍\ufe0f write']) expect(rulesOf({ kind: 'tool', name })).toEqual([]);
  expect(rulesOf({ kind: 'resource', name: 'x://y ' })).toEqual([]);
});
