import type { JsonObject, JsonValue } from '../json.ts';
import { SEVERITIES, type CreateDetector, type Detection, type Inspection, type Severity, type TextField } from './types.ts';

/** Phrases that nobody needs in honest texts, with what they are. */
const PHRASES: readonly (readonly [RegExp, Pick<Detection, 'rule' | 'family' | 'severity' | 'description'>])[] = [
  [
    /ignore (?:all )?previous instructions/i,
    {
      rule: 'hidden_instructions.ignore_previous',
      family: 'hidden_instructions',
      severity: 'critical',
      description: 'Tells the model to forget what it was told before',
    },
  ],
  [
    /do not (?:tell|mention (?:this )?to) the user/i,
    {
      rule: 'hidden_instructions.secrecy',
      family: 'hidden_instructions',
      severity: 'critical',
      description: 'Tells the model to keep something from the user',
    },
  ],
  [
    /~\/\.ssh\/[a-z_]+/i,
    {
      rule: 'credential_theft.ssh_key',
      family: 'credential_theft',
      severity: 'high',
      description: "Names the user's private key",
    },
  ],
  [
    /<important>/i,
    {
      rule: 'hidden_instructions.important_block',
      family: 'hidden_instructions',
      severity: 'medium',
      description: 'Has a block that is made to be seen by the model alone',
    },
  ],
];

/** Makes the detector. */
export const createDetector: CreateDetector = ({ families }) => {
  const look = (fields: readonly TextField[]): Inspection => {
    const detections: Detection[] = [];
    for (const { field, text } of fields) {
      for (const [phrase, about] of PHRASES) {
        const found = phrase.exec(text);
        if (found === null || (about.family !== 'custom' && families[about.family] === false)) continue;
        const match = {
          text: found[0],
          position: found.index,
          context: text.slice(Math.max(0, found.index - 50), found.index + 100),
        };
        detections.push({ ...about, field, matches: [match] });
      }
    }
    detections.sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));
    const severity: Severity | undefined = detections[0]?.severity;
    return { detections, severity, isCut: false };
  };
  return {
    version: `phrases-1 ${JSON.stringify(families)}`,
    definitions: (definitions) => definitions.map(({ value }) => look(textsOf(value, ''))),
    texts: (_origin, fields) => look(fields),
    arguments: (args: JsonObject) => {
      const fields = textsOf(args, '').filter(({ text }) => text.includes('../..'));
      const detections = fields.map(({ field, text }): Detection => ({
        rule: 'path_traversal.parent',
        family: 'path_traversal',
        severity: 'high',
        description: 'Climbs out of a folder',
        field,
        matches: [{ text: '../..', position: text.indexOf('../..'), context: text.slice(0, 100) }],
      }));
      return { detections, severity: detections.length === 0 ? undefined : 'high', isCut: false };
    },
  };
};

function textsOf(value: JsonValue, field: string): TextField[] {
  if (typeof value === 'string') return [{ field, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => textsOf(child as JsonValue, field === '' ? key : `${field}.${key}`));
}
