import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLook, type Look, parseLook } from '../../../src/core/detect/types.ts';
import { SEVERITIES } from '../../../src/core/finding.ts';

const CLEAN: Look = { version: '1', severity: undefined, isCut: false, detections: [] };

describe('a look', () => {
  it('comes back as it was', () => {
    const look: Look = {
      version: '2',
      severity: 'high',
      isCut: true,
      detections: [
        {
          rule: 'a.b',
          family: 'exfiltration',
          severity: 'high',
          description: 'd',
          field: 'description',
          matches: [{ text: 't', position: 3, context: 'c', decoded: 'base64' }],
        },
      ],
    };
    for (const one of [CLEAN, look]) expect(parseLook(formatLook(one))).toEqual(one);
    expect(JSON.parse(formatLook(CLEAN))).toEqual({ version: '1', severity: null, isCut: false, detections: [] });
  });

  it.each([[''], ['{'], ['[]'], ['null'], ['{"version":1,"detections":[]}'], ['{"version":"1"}']])('%j is none', (text) => {
    expect(parseLook(text)).toBeUndefined();
  });

  it('whatever is in the text, it never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const look = parseLook(text);
        expect(look === undefined || typeof look.version === 'string').toBe(true);
      }),
    );
    fc.assert(
      fc.property(
        fc.string(),
        fc.option(fc.constantFrom(...SEVERITIES), { nil: undefined }),
        fc.boolean(),
        (version, severity, isCut) => {
          const look: Look = { version, severity, isCut, detections: [] };
          expect(parseLook(formatLook(look))).toEqual(look);
        },
      ),
    );
  });
});
