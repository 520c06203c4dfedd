import { expect, it } from 'vitest';
import { changeDetection } from '../../../src/policy-tools/mutate/change-detection.ts';
import { changesIn } from '../../support/mutants.ts';

it('nothing where the policy does not speak of detection', () => {
  expect(changesIn(changeDetection, '')).toEqual([]);
  expect(changesIn(changeDetection, '[detection]\nenabled = false')).toEqual([
    'detection.enabled: enabled = true in [detection]',
  ]);
});

it('what is said of it, and of that only what a fixture sees', () => {
  const text = [
    '[detection]',
    'threshold = "critical"',
    'on_result = "redact"',
    'on_sampling = "deny"',
    'require_approval = true',
    '[[detection.pattern]]',
    'name = "internal"',
    'pattern = "corp"',
    'severity = "high"',
    'description = "d"',
    '[[detection.suppress]]',
    'server = "s"',
    'rule = "exfiltration.*"',
    'reason = "known"',
  ].join('\n');
  expect(changesIn(changeDetection, text)).toEqual([
    'detection.enabled: enabled = false in [detection]',
    'detection.on_result: on_result = "alert" in [detection]',
    'detection.on_result: on_result = "deny" in [detection]',
    'detection.on_sampling: on_sampling = "alert" in [detection]',
    'detection.on_sampling: on_sampling = "redact" in [detection]',
    'detection.require_approval: require_approval = false in [detection]',
    'detection.threshold: threshold = "high" for "critical" in [detection]',
    'detection.pattern.0: without the pattern "internal" in [detection]',
    'detection.suppress.0: without suppression 1 in [detection]',
  ]);
});
