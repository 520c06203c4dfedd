import { type Fields, objectOf, objectsOf, textOf } from './event-fields.ts';

/** The rule by which detection found what an event is about; empty where an edit has made it something else. */
export function ruleOfFinding(fields: Fields): string {
  return textOf(objectOf(fields, 'detection'), 'pattern');
}

/** What an event says of something that detection has found, in words: where it was, what it means, and in which text. As recorded. */
export function describeFinding(fields: Fields): string {
  const detection = objectOf(fields, 'detection');
  const [first = {}] = objectsOf(detection, 'matches');
  const text = textOf(first, 'text');
  const decoded = textOf(first, 'decoded');
  const suppressed = textOf(fields, 'suppressed');
  return [
    placeOf(textOf(fields, 'origin'), textOf(detection, 'field')),
    textOf(detection, 'description'),
    text === '' ? '' : `${JSON.stringify(text)}${decoded === '' ? '' : ` (${decoded})`}`,
    suppressed === '' ? '' : `suppressed: ${suppressed}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function placeOf(origin: string, field: string): string {
  if (origin === '' || origin === 'definition') return field;
  return field === '' ? origin : `${origin} ${field}`;
}
