import { expect, it } from 'vitest';
import { normalise } from '../../../../../src/core/detect/normalise/normalise.ts';
import { detection, placesOf } from '../../../../../src/core/detect/rules/obfuscation/finding.ts';

it('a detection names its rule, its family and the first few places', () => {
  const text = 'a-a-a-a-a';
  const places = placesOf(text, /a/g);
  expect(places).toHaveLength(5);
  const seen = { field: 'description', text, normalised: normalise(text) };
  expect(detection(seen, { rule: 'x', severity: 'low', description: 'why', places, decoded: 'base64' })).toMatchObject({
    rule: 'obfuscation.x',
    family: 'obfuscation',
    severity: 'low',
    field: 'description',
    matches: [{ position: 0, decoded: 'base64' }, { position: 2 }, { position: 4 }],
  });
});

it('places are counted up to a bound', () => {
  expect(placesOf('aaaa', /a/g, 2)).toEqual([
    { start: 0, end: 1 },
    { start: 1, end: 2 },
  ]);
});
