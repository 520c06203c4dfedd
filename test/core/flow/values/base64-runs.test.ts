import { describe, expect, it } from 'vitest';
import { base64Runs } from '../../../../src/core/flow/values/base64-runs.ts';

const RUN = 'QUJDREVGR0hJSktMTU5PUA';

describe('base64Runs', () => {
  it.each([
    [`a ${RUN}== b`, [RUN]],
    [`${RUN}==\r\n${RUN}`, [RUN + RUN]],
    [`${RUN}\n  ${RUN}\n`, [RUN + RUN]],
    [`${RUN}\nno`, [RUN]],
    [`${RUN}, ${RUN}`, [RUN, RUN]],
    ['too short', []],
    ['', []],
  ])('%j', (text, signs) => {
    expect(base64Runs(text, 16).map((run) => run.signs)).toEqual(signs);
  });

  it('says where they stand', () => {
    expect(base64Runs(`ab ${RUN}\n${RUN}.`, 16)).toEqual([{ start: 3, end: 4 + RUN.length * 2, signs: RUN + RUN }]);
  });
});
