import { describe, expect, it } from 'vitest';
import type { DemoCall } from '../../../src/cli/demo/play.ts';
import { renderEvent, type DemoLook } from '../../../src/cli/demo/demo.ts';

const FOLDER = '/tmp/clawai-demo-abcdef';
const TERMINAL: DemoLook = { folder: FOLDER, width: 80, colour: false };
const PIPE: DemoLook = { ...TERMINAL, width: Infinity };

const CALL: DemoCall = {
  kind: 'call',
  title: 'It tries again',
  tool: 'read_multiple_files',
  args: { paths: [`${FOLDER}/project/notes.txt`, `${FOLDER}/project/../.ssh/./id_rsa`] },
  expected: 'denied',
  actual: 'denied',
  text: 'clawai denied the tool call "read_multiple_files": Private keys and where they are kept (rule "private-keys").',
  ok: true,
};

describe('a call', () => {
  it('is wrapped beside its labels, and paths stay whole', () => {
    expect(renderEvent(CALL, TERMINAL)).toBe(`
It tries again
  call     read_multiple_files {"paths":["…/project/notes.txt",
           "…/project/../.ssh/./id_rsa"]}
  denied   the model reads: clawai denied the tool call "read_multiple_files":
           Private keys and where they are kept (rule "private-keys").
`);
  });

  it('takes one line per label where there is no terminal', () => {
    expect(renderEvent(CALL, PIPE).split('\n')).toHaveLength(5);
  });

  it('that was allowed shows the answer', () => {
    expect(renderEvent({ ...CALL, actual: 'allowed', text: 'Friday.\n' }, PIPE)).toContain(
      '\n  allowed  the server answered: Friday.\n',
    );
  });

  it('has colour only where it was asked for', () => {
    expect(renderEvent(CALL, TERMINAL)).not.toContain('\u001B');
    expect(renderEvent(CALL, { ...TERMINAL, colour: true })).toContain('\u001B[31m  denied\u001B[39m   the model reads');
  });
});

it('a long path has a line of its own and is not cut', () => {
  const policy = `/home/somebody/${'deep/'.repeat(20)}default.toml`;
  const text = renderEvent({ kind: 'start', server: 'server', isFetched: false, policy }, TERMINAL);
  expect(text.split('\n')).toContain(`policy     ${policy}`);
});

it('the audit is in rows of at most 80 columns, in the words of the calls above', () => {
  const event = { timestamp: '2026-01-02T03:04:05.678Z', server_id: 'files', tool_name: 'read_multiple_files' };
  const events = [
    { ...event, action: 'allow', reason: 'default' },
    { ...event, action: 'block', rule: 'private-keys' },
    { timestamp: event.timestamp, server_id: 'files' },
  ];
  const rows = renderEvent({ kind: 'audit', events }, TERMINAL).split('\n');
  expect(rows.slice(2, 5)).toEqual([
    '  03:04:05.678Z  allowed  files:read_multiple_files  no rule, default',
    '  03:04:05.678Z  denied   files:read_multiple_files  rule private-keys',
    '',
  ]);
  expect(Math.max(...rows.map((line) => line.length))).toBeLessThanOrEqual(80);
});
