import { describe, expect, it } from 'vitest';
import { textAction } from '../../../src/gate/detection/message-part.ts';

describe('textAction', () => {
  const settings = { enabled: true, onDefinition: 'hide', onResult: 'deny', onSampling: 'redact' } as const;

  it.each([
    ['definition', 'redact'],
    ['result', 'deny'],
    ['resource', 'deny'],
    ['prompt', 'deny'],
    ['error', 'deny'],
    ['log', 'deny'],
    ['sampling', 'redact'],
    ['elicitation', 'redact'],
  ] as const)('%s: %s', (origin, expected) => {
    expect(textAction(settings, { origin, isBoth: false })).toBe(expected);
    expect(textAction({ ...settings, enabled: false }, { origin, isBoth: false })).toBe('alert');
  });

  it.each([
    ['deny', 'alert', 'deny'],
    ['alert', 'redact', 'redact'],
    ['redact', 'deny', 'deny'],
    ['alert', 'alert', 'alert'],
  ] as const)('what is a result (%s) and a request (%s): %s', (onResult, onSampling, expected) => {
    expect(textAction({ ...settings, onResult, onSampling }, { origin: 'elicitation', isBoth: true })).toBe(expected);
  });

  it('what a server says of itself is taken out where it would be hidden or denied', () => {
    for (const onDefinition of ['hide', 'deny'] as const)
      expect(textAction({ ...settings, onDefinition }, { origin: 'definition', isBoth: false })).toBe('redact');
    expect(textAction({ ...settings, onDefinition: 'alert' }, { origin: 'definition', isBoth: false })).toBe('alert');
  });
});
