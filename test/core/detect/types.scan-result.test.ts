import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatScanResult, type ScanResult, parseScanResult } from '../../../src/core/detect/types.ts';
import { SEVERITIES } from '../../../src/core/finding.ts';

const CLEAN: ScanResult = { version: '1', severity: undefined, isCut: false, detections: [] };

describe('a scan result', () => {
  it('comes back as it was', () => {
    const result: ScanResult = {
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
    for (const one of [CLEAN, result]) expect(parseScanResult(formatScanResult(one))).toEqual(one);
    expect(JSON.parse(formatScanResult(CLEAN))).toEqual({ version: '1', severity: null, isCut: false, detections: [] });
  });

  it.each([[''], ['{'], ['[]'], ['null'], ['{"version":1,"detections":[]}'], ['{"version":"1"}']])('%j is none', (text) => {
    expect(parseScanResult(text)).toBeUndefined();
  });

  it('whatever is in the text, it never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const result = parseScanResult(text);
        expect(result === undefined || typeof result.version === 'string').toBe(true);
      }),
    );
    fc.assert(
      fc.property(
        fc.string(),
        fc.option(fc.constantFrom(...SEVERITIES), { nil: undefined }),
        fc.boolean(),
        (version, severity, isCut) => {
          const result: ScanResult = { version, severity, isCut, detections: [] };
          expect(parseScanResult(formatScanResult(result))).toEqual(result);
        },
      ),
    );
  });
});
