import { describe, expect, it } from 'vitest';
import { Tasks } from '../../../src/gate/answers/tasks.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import type { Message } from '../../../src/protocol/message.ts';

const SOURCE = { record: 'db.1', call: { method: 'tools/call', server: 'db', tool: 'query' } } as const;

function message(about: object): Message {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...about }));
  return readMessage(new JsonScanner(), bytes, 0, bytes.length);
}

function asked(taskId: unknown, method = 'tasks/result'): Message {
  return message({ method, params: { taskId } });
}

describe('Tasks', () => {
  it('knows what call a task is, in either form', () => {
    const tasks = new Tasks();
    expect(tasks.sourceOf(asked('t1'))).toBeUndefined();
    tasks.note(SOURCE, message({ result: { task: { taskId: 't1', status: 'working' } } }));
    tasks.note({ ...SOURCE, record: 'db.2' }, message({ result: { resultType: 'task', taskId: 't2' } }));
    expect(tasks.sourceOf(asked('t1'))).toEqual({ ...SOURCE, isTask: true });
    for (const method of [
      'tasks/get',
      'tasks/update',
      'tasks/cancel',
      'tasks/list',
      'notifications/tasks',
      'notifications/tasks/status',
    ])
      expect(tasks.sourceOf(asked('t2', method))).toMatchObject({ record: 'db.2' });
    for (const other of [asked('t3'), asked(5), asked(undefined), asked('t1', 'tasks/other')]) {
      expect(tasks.sourceOf(other)).toBeUndefined();
    }
  });

  it('remembers a few, and nothing long', () => {
    const tasks = new Tasks();
    for (let i = 0; i < 1100; i++) tasks.note(SOURCE, message({ result: { taskId: `t${i}` } }));
    expect(tasks.sourceOf(asked('t75'))).toBeUndefined();
    expect(tasks.sourceOf(asked('t76'))).toBeDefined();
    tasks.note(SOURCE, message({ result: { taskId: 'x'.repeat(300) } }));
    tasks.note(SOURCE, message({ result: { taskId: 'long', content: 'x'.repeat(20_000) } }));
    expect(tasks.sourceOf(asked('x'.repeat(300)))).toBeUndefined();
    expect(tasks.sourceOf(asked('long'))).toBeUndefined();
  });

  it.each([
    ['tasks/result', { result: { content: [] } }, true],
    ['tasks/result', { error: { code: 1, message: 'no' } }, true],
    ['tasks/get', { result: { taskId: 't', status: 'working' } }, false],
    ['tasks/get', { result: { taskId: 't', status: 'completed', result: { content: [] } } }, true],
    ['tasks/get', { result: { task: { taskId: 't', status: 'failed' } } }, false],
    ['tasks/get', { result: { taskId: 't', status: 'failed', statusMessage: 'no such row' } }, true],
    ['tasks/get', { result: { taskId: 't', status: 'a row' } }, true],
    ['tasks/list', { result: { tasks: [] } }, true],
    ['notifications/tasks', { method: 'notifications/tasks', params: { taskId: 't', status: 'working' } }, false],
    ['notifications/tasks', { method: 'notifications/tasks', params: { taskId: 't', status: 'completed', result: {} } }, true],
  ])('%s: %j has an outcome: %j', (method, about, has) => {
    expect(new Tasks().hasOutcome({ method, message: message(about) })).toBe(has);
  });
});
