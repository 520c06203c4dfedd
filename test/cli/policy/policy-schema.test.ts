import { describe, expect, it } from 'vitest';
import { SCHEMA_NAMES, SCHEMAS } from '../../../src/schemas/schemas.ts';
import { runCli } from '../../support/run-cli.ts';

describe('clawai policy schema', () => {
  it.each(SCHEMA_NAMES)('%s prints that schema, and needs no policy, config or home for it', async (name) => {
    const { code, stdout, stderr } = await runCli(['policy', 'schema', name], { env: { CLAWAI_POLICY: '/nonexistent/p.toml' } });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(SCHEMAS[name])));
  });

  it.each([
    [[], 'clawai policy schema needs a name'],
    [['polcy'], 'there is no schema "polcy"\n  did you mean clawai policy schema policy?'],
    [['x'], 'there is no schema "x"\n  one of: policy, project, config, fixture'],
    [['policy', 'config'], 'clawai policy schema prints one schema'],
  ])('%j is refused', async (words, message) => {
    const { code, stdout, stderr } = await runCli(['policy', 'schema', ...words]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
