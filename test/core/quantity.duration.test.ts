import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/core/quantity.ts';

describe('durations', () => {
  it.each(['250ms', '45s', '90m', '26h', '6d', '2w'])('%s stays what it is', (text) => {
    const read = parseDuration(text);
    expect(read.ok && formatDuration(read.value)).toBe(text);
  });

  it('are none without a unit', () => {
    expect(parseDuration('45')).toMatchObject({ ok: false });
  });
});
