import { expect, it } from 'vitest';

import { checkKeys, complain, complainOfType, type Complaints } from '../../../src/core/policy/complaints.ts';

const known = { read: ['action', 'tool'], unenforced: ['category'], where: 'a rule' };

function collect(run: (to: Complaints) => void): Complaints['errors'] {
  const to: Complaints = { errors: [], regex: undefined, needsRegex: false };
  run(to);
  return to.errors;
}

it('says of each key that is not read why, and what was meant', () => {
  expect(
    collect((to) => checkKeys(to, ['rule', 0], { action: 'deny', actoin: 1, zzz: 1, category: 1, categroy: 1 }, known)),
  ).toEqual([
    { path: ['rule', 0, 'actoin'], message: 'unknown key "actoin" in a rule', hint: 'did you mean "action"?' },
    { path: ['rule', 0, 'zzz'], message: 'unknown key "zzz" in a rule', hint: 'known keys: action, tool' },
    {
      path: ['rule', 0, 'category'],
      message: '"category" is not enforced by this version of clawai, so it is refused rather than ignored',
    },
    { path: ['rule', 0, 'categroy'], message: 'unknown key "categroy" in a rule', hint: 'did you mean "category"?' },
  ]);
});

it('says of a key that has a hint what to do', () => {
  const hints = new Map([
    ['mode', 'it belongs in config.toml'],
    ['category', 'leave it out'],
  ]);
  const table = { mode: 'observe', mood: 1, category: 1, ['__proto__']: 1 };
  expect(collect((to) => checkKeys(to, [], table, { ...known, hints, lacks: 'supported' }))).toEqual([
    { path: ['mode'], message: 'unknown key "mode" in a rule', hint: 'it belongs in config.toml' },
    { path: ['mood'], message: 'unknown key "mood" in a rule', hint: 'known keys: action, tool' },
    {
      path: ['category'],
      message: '"category" is not supported by this version of clawai, so it is refused rather than ignored',
      hint: 'leave it out',
    },
    { path: ['__proto__'], message: 'unknown key "__proto__" in a rule', hint: 'known keys: action, tool' },
  ]);
});

it('names what has the wrong type as it is written', () => {
  const errors = collect((to) => {
    complainOfType(to, ['rule', 2, 'args', 'a.b', 'gt'], 'x', 'a number');
    complainOfType(to, ['defaults'], 5, 'a table');
    complainOfType(to, ['rule', 1], true, 'a table');
    complain(to, [], 'm');
  });
  expect(errors.map(({ message }) => message)).toEqual([
    'args."a.b".gt must be a number, not a string',
    'defaults must be a table, not an integer',
    'rule must be a table, not a boolean',
    'm',
  ]);
});
