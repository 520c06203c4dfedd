import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FAMILIES } from '../../src/core/detect/types.ts';
import { DLP } from '../../src/core/policy/parse-dlp.ts';
import { parseToml } from '../../src/core/policy/toml.ts';
import { CATEGORIES } from '../../src/core/call.ts';
import { POLICY_SCHEMA, PROJECT_SCHEMA } from '../../src/schemas/policy-schema.ts';
import { formatSchema } from '../../src/schemas/schemas.ts';
import { listFiles, readSource } from '../structure/source.ts';
import { editorCheck, schemaCheck } from '../support/schema-check.ts';
import { findDisagreement, keysIn, keysOf, undescribed } from '../support/schema-law.ts';
import { policyFaults, writtenPolicies } from '../support/written-documents.ts';
import { writeToml } from '../support/write-toml.ts';

const BEYOND = [
  // What one place says of another.
  /^(?:rule \d+|another pattern) already has the /,
  /^detection has no rule /,
  // What a text means.
  /^bad regex/,
  /^a pattern that matches the empty text/,
  /must be at least .* and at most/,
  /is no whole number of /,
  // Words that only resemble an operator.
  /looks like an operator, but is not one/,
];

/** The switches of `[dlp]`. */
const DLP_FLAGS = Object.entries(DLP).flatMap(([name, { kind }]) => (kind === 'flag' ? name : []));

/** What the pages and the other tests do not show. */
const RARE = `
[flow]
trusted = ["contacts"]
known = ["*@example.com"]
steered_call = { enabled = true, window = "1h" }
[detection.families]
${FAMILIES.map((family) => `${family} = true`).join('\n')}
[dlp]
${DLP_FLAGS.map((name) => `${name} = true`).join('\n')}
[classify]
${CATEGORIES.map((category) => `${category} = ["x_*"]`).join('\n')}
[[rule]]
action = "prompt"
tool = { not = { regex = "^get_", equals = "" } }
category = ["write", "send"]
fingerprint = "sha256:${'0'.repeat(64)}"
args.a."*"."**" = { gt = 1, gte = -1.5, lt = 7, lte = 8, exists = true, not = ["x", 1, true] }
args."/a~1b/c" = { not = { equals = 7 } }
unless = { server = ["a", "b"], category = "read", fingerprint = ["sha256:${'a'.repeat(64)}"] }
[[rule]]
action = "deny"
method = "tools/*"
args = { equals = { a = [], b = { c = "" }, d = 1.5 } }
message = ""
`;

const checks = { policy: schemaCheck('policy'), project: schemaCheck('project') };

const policies = [RARE, ...writtenPolicies()];
const tables = policies.map((text) => {
  const parsed = parseToml(text);
  return parsed.ok ? parsed.table : {};
});

describe('the schema of policies', () => {
  it.each(tables.map((table, index) => [policies[index]?.slice(0, 60), table]))('accepts %j', (_, table) => {
    expect(checks.policy(table)).toEqual([]);
  });

  it('is held against policies that have every key it knows', () => {
    expect(policyFaults(RARE)).toEqual([]);
    const used = keysIn(tables);
    expect([...keysOf(POLICY_SCHEMA)].filter((key) => !used.has(key))).toEqual([]);
    expect(tables.length).toBeGreaterThan(100);
  });

  it('says something of every key', () => {
    expect([...undescribed(POLICY_SCHEMA), ...undescribed(PROJECT_SCHEMA)]).toEqual([]);
  });

  it.each(['policy', 'project'] as const)('refuses for a %s what the parser refuses, and nothing else', (name) => {
    const faults = (text: string): readonly string[] => policyFaults(text, name === 'project');
    expect(
      findDisagreement({ documents: tables, write: writeToml, faults, check: checks[name], beyond: BEYOND }),
    ).toBeUndefined();
  });

  it.each([
    ['an unknown key', '[defaults]\nacton = "deny"'],
    ['an unknown word', '[defaults]\naction = "block"'],
    ['a guard that is still to come', '[dlp]\nmode = "redact"'],
    ['a rule about nothing', '[[rule]]\naction = "deny"'],
    ['a rule about two things', '[[rule]]\naction = "deny"\ntool = "x"\nprompt = "y"'],
    ['an operator of names that is for arguments', '[[rule]]\naction = "deny"\ntool = { gt = 1 }'],
    ['operators and names in one table', '[[rule]]\naction = "deny"\ntool = "x"\nargs.a = { gt = 1, b = "x" }'],
    ['what other languages call an operator', '[[rule]]\naction = "deny"\ntool = "x"\nargs.a = { eq = 1 }'],
    ['a wildcard within a name', '[[rule]]\naction = "deny"\ntool = "x"\nargs."a*" = "x"'],
    ['no pointer', '[[rule]]\naction = "deny"\ntool = "x"\nargs."/a~2" = "x"'],
    ['idle lists', '[server_policy]\ndeny = ["x"]'],
    ['idle limits', '[rate_limits]\ndefault_rpm = 6'],
    ['a notification that points nowhere', '[approval]\nchannels = ["desktop"]'],
    ['a window without a unit', '[flow]\nburst = { window = "5" }'],
    ['a fingerprint of another length', '[[rule]]\naction = "deny"\ntool = "x"\nfingerprint = "sha256:00"'],
  ])('refuses %s, as the parser does', (_, text) => {
    const parsed = parseToml(text);
    expect(parsed.ok && checks.policy(parsed.table)).not.toEqual([]);
    expect(policyFaults(text)).not.toEqual([]);
  });

  it("a project's policy cannot allow, nor set a guard", () => {
    const parsed = parseToml('[[rule]]\naction = "allow"\ntool = "x"');
    expect(parsed.ok && checks.project(parsed.table)).toEqual(['/rule/0/action: must be equal to one of the allowed values']);
    expect(checks.project({ pinning: { enabled: false } })).not.toEqual([]);
  });

  it("an editor's program for TOML takes both as they are", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clawai-schemas-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [schema, projects] = [join(folder, 'policy.schema.json'), join(folder, 'project.schema.json')];
    writeFileSync(schema, formatSchema('policy'));
    writeFileSync(projects, formatSchema('project'));
    const shipped = listFiles('policies', '.toml').map(readSource);
    for (const text of [RARE, ...shipped]) expect(await editorCheck(text, { schema })).toEqual([]);
    expect(await editorCheck('[[rule]]\naction = "deny"\ntool = "x"\nunless.acton = "x"\n', { schema })).toEqual([
      "Additional properties are not allowed ('acton' was unexpected)",
    ]);
    const allows = '[[rule]]\naction = "allow"\ntool = "x"\n';
    expect(await editorCheck(allows, { schema })).toEqual([]);
    expect(await editorCheck(allows, { schema: projects })).toEqual(['"allow" is not one of ["deny","prompt"]']);
  });
});
