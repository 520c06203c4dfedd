import { SEVERITIES } from '../../core/finding.ts';
import { DETECTION, type Detection } from '../../core/policy/parse-detection.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import { changeSettings, otherThan, type SettingChange, writtenIn } from './change-settings.ts';
import type { Mutation } from './mutant.ts';

/** The fixture that notices another word, for each of these keys. */
const NEEDS = {
  on_definition: 'calls with "findings" and with "serverFindings" in their "context"',
  on_result: 'a step with a hostile "result", and "expectedResult"',
  on_sampling: 'an elicitation/create with a hostile "message" in its "params", and "expectedRequest"',
} as const;

const PROPERTIES = { on_definition: 'onDefinition', on_result: 'onResult', on_sampling: 'onSampling' } as const;

/** Changes how texts that should not reach a model are treated, as far as the policy says so and a fixture can see it. */
export const changeDetection: Mutation = {
  kind: 'change-detection',
  changes(policy) {
    const { detection } = policy;
    const isWritten = writtenIn(policy);
    if (!isWritten('detection')) return [];
    const change = (path: PolicyPath, settings: Partial<Detection>, what: string, need: string): SettingChange => ({
      path: ['detection', ...path],
      settings: { detection: { ...detection, ...settings } },
      what: `${what} in [detection]`,
      need,
    });
    const enabled = change(
      ['enabled'],
      { enabled: !detection.enabled },
      `enabled = ${!detection.enabled}`,
      'a step whose "result" has a text that should not reach a model, and "expectedResult"',
    );
    if (!detection.enabled) return changeSettings(policy, [enabled]);
    const words = (['on_definition', 'on_result', 'on_sampling'] as const).flatMap((name) => {
      if (!isWritten('detection', name)) return [];
      const property = PROPERTIES[name];
      return otherThan<string>(detection[property], DETECTION[name].words).map((other) =>
        change([name], { [property]: other }, `${name} = "${other}"`, NEEDS[name]),
      );
    });
    return changeSettings(policy, [enabled, ...words, ...rest(detection, isWritten, change)]);
  },
};

type ChangeOf = (path: PolicyPath, settings: Partial<Detection>, what: string, need: string) => SettingChange;

function rest(detection: Detection, isWritten: ReturnType<typeof writtenIn>, change: ChangeOf): readonly SettingChange[] {
  const { requireApproval, suppress, threshold, rules } = detection;
  const at = SEVERITIES.indexOf(threshold);
  const severities = SEVERITIES.filter((_, index) => Math.abs(index - at) === 1);
  const need = 'a step whose "result" this alone decides about, and "expectedResult"';
  return [
    ...(isWritten('detection', 'require_approval') && detection.onDefinition === 'alert'
      ? [
          change(
            ['require_approval'],
            { requireApproval: !requireApproval },
            `require_approval = ${!requireApproval}`,
            'a call with a critical finding in "context": {"findings": …}',
          ),
        ]
      : []),
    ...(isWritten('detection', 'threshold')
      ? severities.map((severity) =>
          change(
            ['threshold'],
            { threshold: severity },
            `threshold = "${severity}" for "${threshold}"`,
            `a step whose "result" has something that is ${SEVERITIES[Math.min(at, SEVERITIES.indexOf(severity))]}, and "expectedResult"`,
          ),
        )
      : []),
    ...rules.patterns.map(({ name }, index) =>
      change(
        ['pattern', index],
        { rules: { ...rules, patterns: rules.patterns.toSpliced(index, 1) } },
        `without the pattern ${JSON.stringify(name)}`,
        need,
      ),
    ),
    ...suppress.map((_, index) =>
      change(['suppress', index], { suppress: suppress.toSpliced(index, 1) }, `without suppression ${index + 1}`, need),
    ),
  ];
}
