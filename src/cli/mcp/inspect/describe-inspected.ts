import { styleText } from 'node:util';
import { describeDetection, type DetectionLook } from '../registry/describe-detection.ts';
import { visible } from '../../terminal/printable.ts';
import { isTexts } from './item.ts';
import type { Inspected } from './inspector.ts';

/** What came of one thing, as lines for people; none where there is nothing to say of it. */
export function describeInspected(inspected: Inspected, look: DetectionLook): string[] {
  const { findings, suppressed, isCut, skipped } = inspected;
  const below = [
    ...findings.flatMap((finding) => describeDetection(finding, look)),
    ...suppressed.flatMap(({ detection, reason }) => describeDetection(detection, look, reason)),
    ...(isCut ? ['  not all of it was looked at: it is longer than what is'] : []),
    ...skipped.map(({ what, why }) => `  not looked at: ${visible(what)} ${visible(why)}`),
  ];
  if (below.length === 0) return [];
  const head = labelOf(inspected);
  return [look.colour ? styleText('bold', head, { validateStream: false }) : head, ...below, ''];
}

function labelOf({ item, server, line }: Inspected): string {
  const what = item.kind.replace('_', ' ');
  const name = isTexts(item) || item.name === '' ? '' : ` ${visible(item.name)}`;
  const of = server === '' ? '' : ` of ${visible(server)}`;
  return `${what}${name}${of}${line === undefined ? '' : ` (line ${line})`}`;
}
