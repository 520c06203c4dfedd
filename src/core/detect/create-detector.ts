import type { CreateDetector, Detection, Inspection, Severity } from './types.ts';
import { SEVERITIES } from './types.ts';

const PHRASES: readonly (readonly [rule: string, family: Detection['family'], severity: Severity, pattern: RegExp])[] = [
  ['hidden_instructions.markup', 'hidden_instructions', 'high', /<IMPORTANT>/],
  ['hidden_instructions.concealment', 'hidden_instructions', 'critical', /do not tell the user/i],
  ['hidden_instructions.ignore_previous', 'hidden_instructions', 'critical', /ignore (all )?previous instructions/i],
  ['credential_theft.private_key', 'credential_theft', 'critical', /~\/\.ssh\/id_/],
  ['exfiltration.send_to', 'exfiltration', 'medium', /send it to https?:/i],
];

/** Finds a few plain phrases. */
export const createDetector: CreateDetector = ({ families, patterns }) => {
  const look = (fields: readonly { readonly field: string; readonly text: string }[]): Inspection => {
    const detections = fields.flatMap(({ field, text }): Detection[] => [
      ...PHRASES.flatMap(([rule, family, severity, pattern]): Detection[] => {
        const match = families[family as 'obfuscation'] === false ? null : pattern.exec(text);
        if (match === null) return [];
        const matches = [
          { text: match[0], position: match.index, context: text.slice(Math.max(0, match.index - 50), match.index + 80) },
        ];
        return [{ rule, family, severity, description: `the text has ${match[0]} in it`, field, matches }];
      }),
      ...patterns.flatMap(({ name, pattern, severity, description }): Detection[] => {
        const match = new RegExp(pattern).exec(text);
        if (match === null) return [];
        const matches = [{ text: match[0], position: match.index, context: match[0] }];
        return [{ rule: `custom.${name}`, family: 'custom', severity, description, field, matches }];
      }),
    ]);
    const rank = ({ severity }: Detection): number => SEVERITIES.indexOf(severity);
    const sorted = detections.toSorted((one, other) => rank(other) - rank(one));
    return { detections: sorted, severity: sorted[0]?.severity, isCut: false };
  };
  return {
    version: 'stand-in',
    definitions: (definitions) => definitions.map(({ value }) => look([{ field: 'description', text: JSON.stringify(value) }])),
    texts: (_origin, fields) => look(fields),
    arguments: () => look([]),
  };
};
