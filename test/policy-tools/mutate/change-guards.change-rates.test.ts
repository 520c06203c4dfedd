import { expect, it } from 'vitest';
import { changeRates } from '../../../src/policy-tools/mutate/change-guards.ts';
import { changesIn } from '../../support/mutants.ts';

it('nothing where nothing is limited', () => {
  expect(changesIn(changeRates, '[rate_limits]\nenabled = false\ndefault_rpm = 6')).toEqual([]);
});

it('each limit tighter and looser, and that of a tool gone', () => {
  const text =
    '[rate_limits]\nenabled = true\ndefault_rpm = 60\n[rate_limits.server.w]\nrpm = 10\nburst = 1\n[rate_limits.server.w.tool.t]\nrpm = 4\nburst = 2';
  expect(changesIn(changeRates, text)).toEqual([
    'rate_limits.enabled: enabled = false in [rate_limits]',
    'rate_limits.default_rpm: rpm = 30 for 60 of every other server',
    'rate_limits.default_rpm: rpm = 120 for 60 of every other server',
    'rate_limits.default_rpm: burst = 9 for 10 of every other server',
    'rate_limits.default_rpm: burst = 11 for 10 of every other server',
    'rate_limits.server.w.rpm: rpm = 5 for 10 of w',
    'rate_limits.server.w.rpm: rpm = 20 for 10 of w',
    'rate_limits.server.w.rpm: burst = 2 for 1 of w',
    'rate_limits.server.w.tool.t: rpm = 2 for 4 of w/t',
    'rate_limits.server.w.tool.t: rpm = 8 for 4 of w/t',
    'rate_limits.server.w.tool.t: burst = 1 for 2 of w/t',
    'rate_limits.server.w.tool.t: burst = 3 for 2 of w/t',
    'rate_limits.server.w.tool.t: no limit of w/t',
  ]);
});
