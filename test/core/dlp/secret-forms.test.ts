import { describe, expect, it } from 'vitest';
import { SECRET_FORMS } from '../../../src/core/dlp/secret-forms.ts';
import { SECRET_SAMPLES } from './secret-samples.ts';

/** Kinds that need something around them; `redact-text.test.ts` has cases of them. */
const IN_CONTEXT = ['webhook', 'telegram_token', 'bearer_token', 'url_password', 'password'];

describe('SECRET_FORMS', () => {
  it.each(SECRET_FORMS)('$kind ($markers) is tried at one place, and a marker is no secret yet', ({ form, markers }) => {
    expect(form.sticky).toBe(true);
    for (const marker of markers) {
      form.lastIndex = 0;
      expect(form.test(marker)).toBe(false);
    }
  });

  it('each marker is of one entry, or of entries that are tried one after the other', () => {
    const markers = SECRET_FORMS.flatMap((form) => form.markers);
    expect(markers.filter((marker, index) => markers.indexOf(marker) !== index)).toEqual(['://']);
  });

  it('each kind has a sample', () => {
    const sampled = new Set([...SECRET_SAMPLES.map(({ kind }) => kind), ...IN_CONTEXT]);
    expect(SECRET_FORMS.map(({ kind }) => kind).filter((kind) => !sampled.has(kind))).toEqual([]);
  });
});
