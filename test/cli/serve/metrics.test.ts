import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatMetrics, type MetricsSource, mayReadMetrics, readOrMakeMetricsToken } from '../../../src/cli/serve/metrics.ts';
import { createCounters } from '../../../src/transport/http/counters.ts';

describe('the token of the metrics', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'clawai-metrics-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made once, for the user alone, in a folder that need not be there', () => {
    const state = join(folder, 'state');
    const token = readOrMakeMetricsToken(state);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(readOrMakeMetricsToken(state)).toBe(token);
    expect(statSync(join(state, 'metrics-token')).mode & 0o777).toBe(0o600);
    expect(readOrMakeMetricsToken(join(folder, 'other'))).not.toBe(token);
  });

  it.each(['', 'short\n'])('is made anew in place of %j', (text) => {
    const file = join(folder, 'metrics-token');
    writeFileSync(file, text);
    const token = readOrMakeMetricsToken(folder);
    expect(token).toHaveLength(32);
    expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
  });

  const token = 't'.repeat(32);
  it.each<readonly [string | undefined, boolean]>([
    [`Bearer ${token}`, true],
    [`bearer ${token}`, true],
    [`Bearer ${token}t`, false],
    [`Bearer ${token} t`, false],
    [`Basic ${token}`, false],
    [token, false],
    ['Bearer ', false],
    ['', false],
    [undefined, false],
  ])('%s: may read is %s', (authorization, expected) => {
    const request = { headers: authorization === undefined ? {} : { authorization } } as IncomingMessage;
    expect(mayReadMetrics(request, token)).toBe(expected);
  });
});

type Known = readonly (readonly [name: string, requests: number])[];

function format(servers: Known, providers: Known = []): string {
  const gates = { sessions: 2, size: 5 };
  const route = (requests: number): unknown => ({ parts: { counters: { ...createCounters(), requests, streams: 1 }, gates } });
  return formatMetrics({
    servers: servers.map(([name, requests]) => ({ server: { name }, route: route(requests) })),
    providers: providers.map(([name, requests]) => ({ provider: { name }, route: route(requests) })),
    listener: { connections: 3 },
  } as unknown as MetricsSource);
}

describe('formatMetrics', () => {
  it('counts by server, also where several clients know it', () => {
    const text = format([
      ['mail', 2],
      ['web', 5],
      ['mail', 3],
    ]);
    const lines = text.split('\n').filter((line) => !line.startsWith('#'));
    expect(lines).toContain('clawai_requests_total{server="mail"} 5');
    expect(lines).toContain('clawai_requests_total{server="web"} 5');
    expect(lines).toContain('clawai_streams{server="mail"} 2');
    expect(lines).toContain('clawai_sessions{server="web"} 2');
    expect(lines).toContain('clawai_gates{server="mail"} 10');
    expect(lines).toContain('clawai_connections 3');
    expect(text.endsWith('\n')).toBe(true);
    expect(text).not.toContain('clawai_llm');
  });

  it('counts by provider', () => {
    expect(format([], [['anthropic', 4]])).toContain('clawai_llm_requests_total{provider="anthropic"} 4\n');
  });

  it('a name can end neither its label nor its line', () => {
    expect(format([['a"} 1\nb\\', 2]])).toContain('clawai_requests_total{server="a\\"} 1\\nb\\\\"} 2\n');
  });

  it('each metric is described once, before its values', () => {
    const lines = format(
      [
        ['mail', 1],
        ['web', 1],
      ],
      [['anthropic', 1]],
    )
      .trimEnd()
      .split('\n');
    for (const line of lines.filter((one) => !one.startsWith('#'))) {
      const name = /^\w+/.exec(line)?.[0] ?? '';
      for (const word of ['HELP', 'TYPE']) {
        expect(lines.filter((one) => one.startsWith(`# ${word} ${name} `))).toHaveLength(1);
        expect(lines.findIndex((one) => one.startsWith(`# ${word} ${name} `))).toBeLessThan(lines.indexOf(line));
      }
    }
  });
});
