import { describe, expect, it } from 'vitest';
import { describeInspected, inspectedJson, Inspector } from '../../../../src/cli/mcp/inspect/inspector.ts';
import type { ItemGroup } from '../../../../src/cli/mcp/inspect/items.ts';
import type { CreateDetector, Detection } from '../../../../src/core/detect/types.ts';
import type { Severity } from '../../../../src/core/finding.ts';
import { compilePolicy } from '../../../../src/core/match/compile.ts';
import { parsePolicy } from '../../../../src/core/policy/parse.ts';

/** Finds `mild`, `money` and `worst` in texts. */
const createDetector: CreateDetector = () => {
  const words: readonly (readonly [string, Severity])[] = [
    ['mild', 'low'],
    ['money', 'high'],
    ['worst', 'critical'],
  ];
  const look = (fields: readonly { readonly field: string; readonly text: string }[]) => {
    const detections = fields.flatMap(({ field, text }) =>
      words.flatMap(([word, severity]): Detection[] => {
        const position = text.indexOf(word);
        const matches = [{ text: word, position, context: text.slice(position, position + 20) }];
        if (position === -1) return [];
        return [{ rule: `exfiltration.${word}`, family: 'exfiltration', severity, description: `it is ${word}`, field, matches }];
      }),
    );
    return { detections, severity: detections[0]?.severity, isCut: false };
  };
  return {
    version: '1',
    definitions: (all) => all.map(({ value }) => look([{ field: 'description', text: JSON.stringify(value) }])),
    texts: (_origin, fields) => look(fields),
    arguments: () => look([]),
  };
};

function inspector(toml = ''): Inspector {
  const parsed = parsePolicy(toml, { file: 'p.toml' });
  if (!parsed.ok) throw new Error('the policy should be valid');
  return new Inspector(compilePolicy(parsed.policy), createDetector);
}

const tool = (name: string, description: string) => ({ kind: 'tool', name, value: { name, description } }) as const;

const GROUP: ItemGroup = {
  server: 'files',
  line: 3,
  items: [
    tool('a', 'money and mild'),
    { kind: 'result', fields: [{ field: 'text', text: 'worst' }], skipped: [] },
    tool('b', 'honest'),
  ],
  skipped: [],
};

describe('Inspector', () => {
  it('gives what came of each thing, in order, the worst first', () => {
    const all = inspector().look(GROUP);
    expect(
      all.map(({ severity, isAtThreshold, findings }) => [severity, isAtThreshold, findings.map(({ rule }) => rule)]),
    ).toEqual([
      ['high', true, ['exfiltration.mild', 'exfiltration.money']],
      ['critical', true, ['exfiltration.worst']],
      [undefined, false, []],
    ]);
  });

  it('goes by the threshold of the policy, and suppresses with a reason what it suppresses', () => {
    const suppress =
      '[detection]\nthreshold = "critical"\n[[detection.suppress]]\nserver = "files"\ntool = "a"\nrule = "**.money"\nreason = "it is a list of words"\n';
    const [first] = inspector(suppress).look(GROUP);
    expect(first).toMatchObject({ severity: 'low', isAtThreshold: false });
    expect(first?.suppressed.map(({ detection, reason }) => [detection.rule, reason])).toEqual([
      ['exfiltration.money', 'it is a list of words'],
    ]);
    const [other] = inspector(suppress).look({ ...GROUP, server: 'mail' });
    expect(other).toMatchObject({ severity: 'high', suppressed: [] });
  });

  it('looks at a long text to its end, and tells positions in all of it', () => {
    const text = `${'a word '.repeat(20_000)}worst`;
    const [only] = inspector().look({
      server: '',
      items: [{ kind: 'result', fields: [{ field: 'text', text }], skipped: [] }],
      skipped: [],
    });
    expect(only?.findings.map(({ matches }) => matches[0]?.position)).toEqual([text.length - 5]);
  });
});

describe('what came of it', () => {
  const [bad, result, clean] = inspector().look(GROUP);

  it('as JSON has findings and their severity, also where there are none', () => {
    if (bad === undefined || clean === undefined || result === undefined) throw new Error('three were looked at');
    expect(JSON.parse(inspectedJson(bad))).toMatchObject({
      line: 3,
      server: 'files',
      kind: 'tool',
      name: 'a',
      severity: 'high',
      at_threshold: true,
    });
    expect((JSON.parse(inspectedJson(bad)) as { findings: unknown[] }).findings).toHaveLength(2);
    expect(JSON.parse(inspectedJson(result))).toMatchObject({ kind: 'result', name: null, severity: 'critical' });
    expect(JSON.parse(inspectedJson(clean))).toEqual({
      line: 3,
      server: 'files',
      kind: 'tool',
      name: 'b',
      severity: null,
      at_threshold: false,
      findings: [],
      suppressed: [],
      is_cut: false,
      skipped: [],
    });
  });

  it('as text names what it was, where, and shows nothing that steers a terminal', () => {
    const look = { width: 60, colour: false };
    if (bad === undefined || clean === undefined) throw new Error('three were looked at');
    expect(describeInspected(bad, look).slice(0, 4)).toEqual([
      'tool a of files (line 3)',
      '  low       exfiltration.mild in description',
      '            it is mild',
      expect.stringContaining('"mild'),
    ]);
    expect(describeInspected(clean, look)).toEqual([]);
    const hidden = inspector().look({ server: '', items: [tool('x\u001b[2J', 'money\u202E \u200B')], skipped: [] });
    const lines = hidden.flatMap((each) => describeInspected(each, { width: 60, colour: true })).join('\n');
    // oxlint-disable-next-line no-control-regex -- colours are ours
    expect(lines.replaceAll(/\u001b\[\d+m/g, '')).not.toMatch(/[\p{Cc}\p{Cf}](?<!\n)/u);
    expect(lines).toContain('tool x\\u{1B}[2J');
  });
});
