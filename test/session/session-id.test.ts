import { describe, expect, it } from 'vitest';
import { createSessionId } from '../../src/session/session-id.ts';

describe('createSessionId', () => {
  it('takes the session that the environment names', () => {
    expect(createSessionId({ CLAWAI_SESSION: 'run-7' })()).toBe('run-7');
  });

  it('makes one up otherwise, another for each process and the same for each call', () => {
    const session = createSessionId({ CLAWAI_SESSION: '' });
    expect(session()).toMatch(/^[0-9a-f-]{36}$/);
    expect(session()).toBe(session());
    expect(createSessionId({})()).not.toBe(session());
  });
});
