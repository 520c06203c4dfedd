import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answersIn, type RemoteAnswer, type RemoteQuestion, toLeft } from '../../src/wrap/remote-answer.ts';
import { remoteQuestions } from '../../src/wrap/wrap.ts';
import { WrapMachine } from '../support/wrap-machine.ts';

const CURSOR = '.cursor/mcp.json';

let machine: WrapMachine;
beforeEach(() => {
  machine = new WrapMachine();
});
afterEach(() => machine.remove());

function questions(entry: object): readonly RemoteQuestion[] {
  machine.write(CURSOR, JSON.stringify({ mcpServers: { docs: { url: 'https://docs.example/mcp', ...entry } } }));
  return remoteQuestions(machine.request({ routes: machine.routes('http://127.0.0.1:8787') }));
}

describe('what a remote server is asked', () => {
  it.each([
    [{}, {}],
    [{ headers: { Authorization: 'Bearer t', 'X-Price': '5$' } }, { Authorization: 'Bearer t', 'X-Price': '5$' }],
    [{ headers: null }, {}],
  ])('%j: with the headers %j', (entry, headers) => {
    expect(questions(entry)).toMatchObject([{ server: 'docs', url: 'https://docs.example/mcp', headers }]);
  });

  it.each([
    { headers: { Authorization: 'Bearer ${TOKEN}' } },
    { headers: { Authorization: 'Bearer ${env:TOKEN}', 'X-Team': 'a' } },
    { headers: { Authorization: '{env:TOKEN}' } },
    { headers: { Authorization: '$TOKEN' } },
    { headers: { Authorization: '$(pass show mcp)' } },
    { headers: { Authorization: '%TOKEN%' } },
    { headers: { '${NAME}': 'a' } },
    { headers: { 'X-Team': 1 } },
    { headers: ['a'] },
    { headers: 'a' },
    { headersHelper: './headers.sh' },
    { requestInit: { headers: {} } },
  ])('%j: nothing, since only its client knows', (entry) => {
    expect(questions(entry)).toMatchObject([{ server: 'docs', headers: undefined }]);
  });

  it('nothing where its entry stays as it is anyway', () => {
    expect(questions({ type: 'ws' })).toEqual([]);
    expect(questions({ oauth: { clientId: 'x' } })).toEqual([]);
    machine.write(CURSOR, '{"mcpServers":{"docs":{"url":"https://docs.example/mcp"}}}');
    expect(remoteQuestions(machine.request({ routes: machine.routes() }))).toEqual([]);
    expect(remoteQuestions(machine.request())).toEqual([]);
  });
});

describe('what it answers', () => {
  it.each<[RemoteAnswer['kind'] | undefined, string, string]>([
    [undefined, 'wrap', 'wrap'],
    ['mcp', 'wrap', 'wrap'],
    ['unknown', 'wrap', 'wrap'],
    ['login', 'skip', 'skip'],
    ['unreachable', 'skip', 'wrap'],
  ])('%s: %s, and where it is named %s', (kind, all, named) => {
    questions({});
    const routes = machine.routes('http://127.0.0.1:8787', { isDry: true });
    const answerTo = () => (kind === undefined ? undefined : { kind, why: 'why' });
    const actionOf = (servers: readonly string[] | undefined): unknown =>
      machine.plan({ routes, answerTo, selection: { servers } })[0]?.report?.entries[0];
    expect(actionOf(undefined)).toMatchObject({ action: all, ...(all === 'skip' ? { reason: kind } : {}) });
    expect(actionOf(['docs'])).toMatchObject({ action: named });
  });

  it('is remembered where the entry is left alone for it, and holds for that entry alone', () => {
    const [question] = questions({ headers: { 'X-A': '1' } });
    if (question === undefined) throw new Error('nothing is asked');
    const left = toLeft(question, { kind: 'login' });
    expect([toLeft(question, { kind: 'mcp' }), toLeft(question, { kind: 'unknown' }), toLeft(question, undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const answerTo = answersIn(left === undefined ? [] : [left]);
    expect(answerTo(question)).toEqual({ kind: 'login' });
    expect(JSON.stringify(left)).not.toContain('docs.example');
    const others = [
      ...questions({ headers: { 'x-a': '2' } }),
      ...questions({ headers: { 'X-A': '1', Authorization: 'a' } }),
      ...questions({ url: 'https://docs.example/other', headers: { 'X-A': '1' } }),
    ];
    expect(others.map((other) => answerTo(other)?.kind)).toEqual(['login', undefined, undefined]);
    expect(answersIn([{ ...question, reason: 'of another version' }])(question)).toBeUndefined();
  });
});
