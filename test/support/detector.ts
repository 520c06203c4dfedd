import type { Detection, Detector, Inspection, TextField } from '../../src/core/detect/types.ts';

/** What the detector below finds, and nothing else. */
export const EVIL = 'EVIL';

/** A detector that finds one word, and remembers what it was shown. */
export class TestDetector implements Detector {
  readonly version: string;
  readonly seen: string[] = [];
  /** What it does in place of looking. */
  fault: (() => never) | undefined;

  constructor(version = '1') {
    this.version = version;
  }

  definitions(definitions: Parameters<Detector['definitions']>[0]): readonly Inspection[] {
    this.fault?.();
    this.seen.push(definitions.map(({ name }) => name).join(' '));
    return definitions.map(({ value }) => toInspection(find('description', JSON.stringify(value))));
  }

  texts(_origin: string, fields: readonly TextField[]): Inspection {
    this.fault?.();
    this.seen.push(fields.map(({ field }) => field).join(' '));
    return toInspection(fields.flatMap(({ field, text }) => find(field, text)));
  }

  arguments(args: Parameters<Detector['arguments']>[0]): Inspection {
    this.fault?.();
    this.seen.push('arguments');
    return toInspection(find('arguments', JSON.stringify(args)));
  }
}

/** What is found of it in a text. */
export function find(field: string, text: string): readonly Detection[] {
  const position = text.indexOf(EVIL);
  if (position === -1) return [];
  return [
    {
      rule: 'test.evil',
      family: 'hidden_instructions',
      severity: 'critical',
      description: 'Is evil',
      field,
      matches: [{ text: EVIL, position, context: text.slice(0, 50) }],
    },
  ];
}

function toInspection(detections: readonly Detection[]): Inspection {
  return { detections, severity: detections.length === 0 ? undefined : 'critical', isCut: false };
}
