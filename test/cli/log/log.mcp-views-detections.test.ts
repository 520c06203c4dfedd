import { describe, expect, it } from 'vitest';
import { useSandbox } from '../../support/attempt.ts';
import { type Body, RecordedStore } from '../../support/recorded-store.ts';
import { type CliResult, runCli } from '../../support/run-cli.ts';

const sandbox = useSandbox();

function found(minute: number, rule: string, more: Body = {}): Body {
  const severity = String(more['severity'] ?? 'high');
  const matches = [{ text: 'do not tell', position: 7, context: 'Adds. Do not tell the user' }];
  return {
    type: 'mcp_detection',
    timestamp: `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`,
    session_id: 'session-a',
    server_id: 'files',
    tool_name: 'read_file',
    kind: 'tool',
    origin: 'definition',
    action: 'alert',
    severity,
    detection: {
      pattern: rule,
      category: rule.split('.')[0],
      severity,
      description: 'hides something',
      matches,
      field: 'description',
    },
    inspectors: ['detection'],
    ...more,
  };
}

function record(...bodies: readonly Body[]): void {
  const store = new RecordedStore(sandbox.current.storeFile);
  for (const body of bodies) store.add(body);
  store.close();
}

function list(...args: readonly string[]): Promise<CliResult> {
  return runCli(['mcp', 'detections', ...args], { env: sandbox.current.env });
}

/** The rules of those that are listed. */
async function rulesOf(...flags: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await list('--json', ...flags);
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { detection: { pattern: string } }).detection.pattern);
}

function fill(): void {
  record(
    found(1, 'hidden_instructions.concealment', { severity: 'critical' }),
    { ...found(2, ''), type: 'mcp_tool_called', detection: undefined, severity: undefined },
    found(3, 'exfiltration.to_address', { server_id: 'mail', tool_name: 'send' }),
    found(4, 'exfiltration.in_link', {
      tool_name: undefined,
      origin: 'result',
      severity: 'medium',
      suppressed: 'a test',
      action: 'allow',
    }),
  );
}

describe('clawai mcp detections', () => {
  it('lists what was found, newest last, and nothing else', async () => {
    fill();
    const { code, stdout, stderr } = await list();
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['SERVER', 'SUBJECT', 'RULE', 'SEVERITY', 'ACTION', 'DETAIL'],
      [
        'files',
        'read_file',
        'hidden_instructions.concealment',
        'critical',
        'alert',
        'description, hides something, "do not tell"',
      ],
      ['mail', 'send', 'exfiltration.to_address', 'high', 'alert', 'description, hides something, "do not tell"'],
      [
        'files',
        'tool',
        'exfiltration.in_link',
        'medium',
        'allow',
        'result description, hides something, "do not tell", suppressed: a test',
      ],
    ]);
  });

  it.each<[readonly string[], readonly string[]]>([
    [
      ['--severity', 'high'],
      ['hidden_instructions.concealment', 'exfiltration.to_address'],
    ],
    [['--severity', 'critical'], ['hidden_instructions.concealment']],
    [['--rule', 'exfiltration.to_address'], ['exfiltration.to_address']],
    [
      ['--rule', 'exfiltration.*'],
      ['exfiltration.to_address', 'exfiltration.in_link'],
    ],
    [['--rule', 'custom.*'], []],
    [['--server', 'mail'], ['exfiltration.to_address']],
    [['--tool', 'read_*'], ['hidden_instructions.concealment']],
    [['--action', 'allow'], ['exfiltration.in_link']],
    [
      ['--since', '2026-03-01T12:03:00Z'],
      ['exfiltration.to_address', 'exfiltration.in_link'],
    ],
    [['--limit', '1'], ['exfiltration.in_link']],
    [['--limit', '1', '--rule', '*.to_*'], ['exfiltration.to_address']],
  ])('%j', async (flags, rules) => {
    fill();
    expect(await rulesOf(...flags)).toEqual(rules);
  });

  it('shows in mcp events what was found, from a severity on', async () => {
    fill();
    const { stdout } = await runCli(['mcp', 'events', '--severity', 'high'], { env: sandbox.current.env });
    expect(stdout.split('\n')[1]).toContain('hidden_instructions.concealment, description, hides something, "do not tell"');
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  });

  it('goes on where a body was edited into something else', async () => {
    fill();
    const store = new RecordedStore(sandbox.current.storeFile);
    store.edit("UPDATE events SET body = 'no JSON' WHERE tool = 'send'");
    store.edit("UPDATE events SET body = NULL WHERE tool = 'read_file'");
    store.close();
    expect(await rulesOf('--rule', 'exfiltration.*')).toEqual(['exfiltration.in_link']);
    const { code, stdout } = await list();
    expect([code, stdout]).toEqual([0, expect.stringContaining('its body is not readable')]);
    expect(stdout).toContain('its body was erased');
  });

  it('says where there is nothing', async () => {
    expect((await list()).stderr).toContain('nothing was recorded yet');
    fill();
    expect((await list('--server', 'nobody')).stderr).toBe('clawai: nothing of what was recorded matches\n');
  });

  it.each([
    [['--severity', 'bad'], '--severity: "bad" is unknown'],
    [['--rule', ''], '--rule needs a value'],
    [['--limit', '0'], '--limit: "0" is no number'],
    [['--type', 'mcp_tool_called'], 'unknown flag --type'],
  ])('%j: exit code 2', async (flags, message) => {
    const { code, stderr } = await list(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
