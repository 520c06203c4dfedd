import { describe, expect, it } from 'vitest';
import { upstreamPaths } from '../../../../src/protocol/llm/routes/upstream-paths.ts';

describe.each<[string, readonly (readonly [base: string, rest: string, path: string, other?: string])[]]>([
  [
    'anthropic',
    [
      ['', '/v1/messages', '/v1/messages'],
      ['', '/messages', '/v1/messages'],
      ['/v1', '/v1/messages', '/v1/messages'],
      ['/v1', '/messages', '/v1/messages'],
      ['/v1', '/messages/batches/b/results', '/v1/messages/batches/b/results'],
      ['/gateway/team%20a', '/messages', '/gateway/team%20a/v1/messages'],
      ['/gateway/v1', '/v1/messages/count_tokens', '/gateway/v1/messages/count_tokens'],
      ['/v1/account/gateway/anthropic', '/v1/messages', '/v1/account/gateway/anthropic/v1/messages'],
      ['/v1/account/gateway/anthropic', '/messages', '/v1/account/gateway/anthropic/v1/messages'],
      ['', '/api/event_logging/batch', '/api/event_logging/batch'],
      ['/x', '', '/x'],
      ['/v1', '/v1', '/v1'],
      ['/gateway/v9', '/v1/messages', '/gateway/v9/v1/messages'],
      ['/gateway/v9', '/messages', '/gateway/v9/v1/messages'],
      ['', '/v1messages', '/v1messages'],
    ],
  ],
  [
    'openai',
    [
      ['/v1', '/chat/completions', '/v1/chat/completions'],
      ['/v1', '/v1/chat/completions', '/v1/chat/completions'],
      ['', '/v1/chat/completions', '/v1/chat/completions'],
      ['', '/chat/completions', '/v1/chat/completions', '/chat/completions'],
      ['', '/embeddings', '/v1/embeddings', '/embeddings'],
      ['', '/api/tags', '/api/tags'],
      ['/openai/deployments/x', '/chat/completions', '/openai/deployments/x/chat/completions'],
      ['/api/paas/v4', '/chat/completions', '/api/paas/v4/chat/completions'],
      ['/api/paas/v4', '/v1/chat/completions', '/api/paas/v4/chat/completions'],
      ['/v1beta/openai', '/v1/models', '/v1beta/openai/models'],
      ['/gateway', '/v1/chat/completions', '/gateway/v1/chat/completions'],
      ['/gateway', '/chat/completions', '/gateway/chat/completions'],
    ],
  ],
  [
    'gemini',
    [
      ['', '/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent'],
      ['', '/models/m:generateContent', '/v1beta/models/m:generateContent'],
      ['/v1beta', '/models/m:generateContent', '/v1beta/models/m:generateContent'],
      ['/v1beta', '/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent'],
      ['/v1beta', '/v1/models/m:generateContent', '/v1beta/models/m:generateContent'],
      ['/gateway', '/tunedModels/m:generateContent', '/gateway/v1beta/tunedModels/m:generateContent'],
      ['/v1beta', '/upload/v1beta/files', '/upload/v1beta/files'],
      ['/g/v1beta', '/upload/v1beta/files', '/g/upload/v1beta/files'],
      ['', '/files:register', '/v1beta/files:register'],
      [
        '/v1/projects/p/locations/l/publishers/google',
        '/models/m:generateContent',
        '/v1/projects/p/locations/l/publishers/google/models/m:generateContent',
      ],
      [
        '',
        '/v1/projects/p/locations/l/publishers/google/models/m:generateContent',
        '/v1/projects/p/locations/l/publishers/google/models/m:generateContent',
      ],
    ],
  ],
  ['another', [['/a', '/v1/messages', '/a/v1/messages']]],
])('%s', (dialect, cases) => {
  it.each(cases.map(([base, rest, ...paths]) => ({ base, rest, paths })))(
    'behind $base, $rest is $paths',
    ({ base, rest, paths }) => {
      expect(upstreamPaths(dialect, base, rest)).toEqual(paths);
    },
  );

  it('a path that has been made stays as it is', () => {
    const made = cases.filter(([base, , path]) => path.startsWith(`${base}/`));
    expect(made.map(([base, , path]) => upstreamPaths(dialect, base, path.slice(base.length))[0])).toEqual(
      made.map(([, , path]) => path),
    );
  });
});
