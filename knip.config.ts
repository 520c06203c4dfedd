interface Run {
  readonly production?: boolean;
}

/** What the program never uses is dead, whatever tests it has. What a file uses itself may be exported for its tests, but not for nothing. */
export default ({ production = false }: Run): object => ({
  entry: [
    'bin/*.mjs!',
    '.ci/*.mjs',
    // The bundles have it in place of a function of Node's.
    'build/bundled-clock.ts',
    'build/from-clone.mjs',
    'test/**/*.test.ts',
    'test/{conformance,e2e,score,support}/*.mjs',
    'test/conformance/managed-client.ts',
    'test/bench/**/*.mjs',
    'test/bench/http/load-process.ts',
  ],
  project: ['src/**/*.{ts,tsx}!', 'bin/**/*.mjs!', 'test/**/*.{ts,mjs}', 'build/**/*.{ts,mjs}', '*.config.ts', '.ci/*.mjs'],
  ignoreExportsUsedInFile: production || { interface: true, type: true },
  ignoreBinaries: ['mkfifo', 'mount', 'script', 'strace', 'systemd-analyze', 'taskset', 'umount', 'unshare'],
  ignoreDependencies: [
    '@modelcontextprotocol/conformance',
    'conformance-next',
    // Knip does not see that test/support/openai-agent.mjs imports it.
    '@openai/agents',
    'mcp-remote',
    '@modelcontextprotocol/inspector',
    '@modelcontextprotocol/server-.+',
  ],
});
