import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { ROOT } from '../structure/source.ts';

const sandbox = useSandbox();

interface TestRow {
  readonly technique: string;
  readonly label: 'malicious' | 'benign';
  readonly calls: readonly Readonly<Record<string, unknown>>[];
}

function score(rows: readonly (TestRow | string)[]): { code: number | null; lines: readonly string[]; errors: string } {
  const lines = rows.map((row, index) => {
    if (typeof row === 'string') return row;
    const { calls, ...rest } = row;
    return JSON.stringify({ id: `r-${index}`, kind: 'call_sequence', ...rest, payload: { calls } });
  });
  writeFileSync(sandbox.current.path('made-up.jsonl.gz'), gzipSync(`${lines.join('\n')}\n`));
  return run('flow', sandbox.current.folder);
}

function run(...words: readonly string[]): { code: number | null; lines: readonly string[]; errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/score/run.ts', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return {
    code: status,
    lines: stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(/ {2,}/g, ' | ')),
    errors: stderr,
  };
}

const call = (server: string, tool: string, rest: object = {}): TestRow['calls'][number] => ({
  server,
  tool,
  arguments: {},
  ...rest,
});
const READ = call('db', 'query_customers', { t: 0, turn: 1 });
const SEND = call('mail', 'send_email', { t: 4, turn: 2 });

describe('score: flow', () => {
  it('says of each technique in how many rows something is found, and by which rules', () => {
    const { code, lines } = score([
      { technique: 'leak', label: 'malicious', calls: [READ, SEND] },
      { technique: 'leak', label: 'malicious', calls: [READ] },
      { technique: 'untimed', label: 'malicious', calls: [call('db', 'get_row'), call('files', 'write_file')] },
      { technique: 'many', label: 'malicious', calls: Array.from({ length: 11 }, () => ({ ...READ, t: 1 })) },
      {
        technique: 'taken',
        label: 'malicious',
        calls: [
          call('b', 'tools/list', { arguments: { overwrites: 'add', originally: 'a' } }),
          call('b', 'add'),
          call('a', 'add'),
        ],
      },
      { technique: 'late', label: 'benign', calls: [READ, { ...SEND, t: 40 }] },
      { technique: 'leak', label: 'benign', calls: [READ, SEND] },
      '{"id":"x","kind":"prompt","label":"benign","payload":"ignored"}',
    ]);
    expect(code).toBe(0);
    expect(lines).toEqual([
      'malicious | rows | detected, defaults | by | detected, any turn | by',
      'leak | 2 | 1 | read_then_send 1 | 1 | read_then_send 1, cross_server_flow 1',
      'untimed | 1 | 0 | - | 1 | cross_server_flow 1',
      'many | 1 | 1 | burst 1 | 1 | burst 1',
      'taken | 1 | 1 | shadow_tool 1 | 1 | shadow_tool 1',
      'benign | rows | flagged, defaults | by | flagged, any turn | by',
      'late | 1 | 0 | - | 0 | -',
      'leak | 1 | 1 | read_then_send 1 | 1 | read_then_send 1, cross_server_flow 1',
    ]);
  });

  it('ends with an error where there is no corpus, or a damaged one', () => {
    expect(run('flow', sandbox.current.path('nowhere'))).toMatchObject({ code: 1, errors: expect.stringMatching(/^ENOENT/) });
    expect(run('flow', sandbox.current.folder)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/has no \*\.jsonl\.gz files/),
    });
    expect(score(['{"id":1}'])).toMatchObject({ code: 1, errors: 'made-up.jsonl.gz:1: "label" is no text\n' });
    expect(run('flow').code).toBe(2);
    expect(run('other', sandbox.current.folder).code).toBe(2);
  });
});
