import { describe, expect, it } from 'vitest';
import { withoutProxyOnLoopback } from '../../../src/cli/run/guard-run.ts';

describe('withoutProxyOnLoopback', () => {
  it.each<[NodeJS.ProcessEnv, string | undefined]>([
    [{}, undefined],
    [{ NO_PROXY: 'a' }, undefined],
    [{ HTTP_PROXY: '' }, undefined],
    [{ HTTP_PROXY: 'http://p' }, '127.0.0.1'],
    [{ https_proxy: 'http://p', NO_PROXY: 'a, b' }, 'a,b,127.0.0.1'],
    [{ ALL_PROXY: 'http://p', NO_PROXY: 'a', no_proxy: 'b' }, 'b,127.0.0.1'],
    [{ HTTP_PROXY: 'http://p', no_proxy: '*' }, undefined],
    [{ HTTP_PROXY: 'http://p', no_proxy: 'localhost 127.0.0.1' }, undefined],
  ])('%j', (env, value) => {
    expect(withoutProxyOnLoopback(env)).toEqual(value === undefined ? {} : { NO_PROXY: value, no_proxy: value });
  });
});
