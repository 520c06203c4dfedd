import { describe, expect, it } from 'vitest';
import { findLabelled } from '../../../src/core/dlp/find-labelled.ts';

const found = (text: string): string[] => findLabelled(text).map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);

describe('a value whose name stands beside it in a text', () => {
  it.each<[string, string]>([
    [JSON.stringify({ name: 'DB_PASSWORD', value: 'hunter2!x' }), 'password: hunter2!x'],
    [JSON.stringify([{ name: 'DB_PASSWORD', value: 'hunter2!x' }], null, 2), 'password: hunter2!x'],
    [JSON.stringify(JSON.stringify({ key: 'x-api-key', value: 'k7f3a9q2zz' })), 'api_key: k7f3a9q2zz'],
    [JSON.stringify({ ParameterKey: 'DbPassword', ParameterValue: 'hunter2!x' }), 'password: hunter2!x'],
    ['env:\n  - name: DB_PASSWORD\n    value: hunter2!x\n', 'password: hunter2!x'],
    ['<add key="ApiPassword" value="hunter2!x"/>', 'password: hunter2!x'],
    [`define( 'DB_PASSWORD', 'hunter2!x' );`, 'password: hunter2!x'],
    ['os.environ.setdefault("API_TOKEN", "k7f3a9q2zz")', 'token: k7f3a9q2zz'],
    ['process.setenv("PATH", "/x", setenv("DB_PASSWORD",\n  "hunter2!x"))', 'password: hunter2!x'],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it('may be one of many', () => {
    const env = ['A_TOKEN', 'USER', 'B_PASSWORD'].map((name, at) => ({ name, value: `hunter2!x${at}` }));
    expect(found(JSON.stringify(env))).toEqual(['token: hunter2!x0', 'password: hunter2!x2']);
  });
});

it.each([
  JSON.stringify({ name: 'title', value: 'hunter2!x' }),
  '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n',
  'name: token\nvalue: next',
  'key=password, value=$DB_PASSWORD',
  JSON.stringify({ name: 'password', type: 'string', description: 'The password 1!' }),
  'log("password", "is wrong")',
  `define('DB_PASSWORD', getenv('DB_PASSWORD'));`,
  'add("token", "next", "k7f3a9q2zz")',
  '["password", "hunter2!x"]',
])('%s has none', (text) => {
  expect(found(text)).toEqual([]);
});

it('takes linear time', () => {
  for (const piece of ['name: ', 'name=token value=', '"key":"pass",', 'key:pass value:"', 'a("token", ', '(', 'f("pass","']) {
    const begin = performance.now();
    findLabelled(piece.repeat(50_000));
    expect(performance.now() - begin).toBeLessThan(5000);
  }
});
