import { expect, it } from 'vitest';
import { compileMatcher } from '../../../src/core/match/compile-matcher.ts';
import { outsideForm } from '../../../src/policy-tools/explain/test-value.ts';
import { createMatchContext } from '../../../src/core/match/match-context.ts';
import { NO_PATH } from '../../../src/core/match/match-path.ts';
import { Reading } from '../../../src/core/match/reading.ts';
import { POSIX } from '../../support/policy.ts';

const LINKS = new Map([['/home/user/a/link', '/etc']]);

it.each<[text: string, form: string | undefined]>([
  ['~/a/x', undefined],
  ['~/a/../x', '/home/user/x'],
  ['~/a/..%2Fx', '/home/user/x'],
  ['~/b', '/home/user/b'],
  ['~/a/link', '/etc'],
  ['file://elsewhere/home/user/a/x', NO_PATH],
])('of %j, %j is outside', (text, form) => {
  const matcher = compileMatcher({ op: 'globs', patterns: ['~/a/**'] }, true);
  if (matcher.op !== 'globs' || matcher.paths === undefined) throw new Error('the pattern is about paths');
  expect(outsideForm(matcher.paths, text, createMatchContext({}, { reading: new Reading(POSIX), realPaths: LINKS }))).toBe(form);
});
