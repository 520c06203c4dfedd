import { expect, it } from 'vitest';
import { changeClassify } from '../../../src/policy-tools/mutate/change-settings.ts';
import { changesIn } from '../../support/mutants.ts';

it('each glob of each category', () => {
  expect(changesIn(changeClassify, '[classify]\nsend = ["post_*"]\nread = ["look"]')).toEqual([
    'classify.read.0: read in [classify] without "look"',
    'classify.send.0: send in [classify] without "post_*"',
    'classify.send.0: send in [classify] with "post_**" for "post_*"',
    'classify.send.0: send in [classify] with "post_" for "post_*"',
  ]);
});
