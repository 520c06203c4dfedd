import { defineConfig } from 'rolldown';
import { nodeBuiltins } from './build/node-builtins.ts';
import { thirdPartyLicenses } from './build/third-party-licenses.ts';
import { undiciHttp1 } from './build/undici-http1.ts';

// Dependencies are bundled: a client starts one process per server, and every file that Node has to find costs start-up time.
const program = defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  // Of packages that have both, the form that can be cut to what is used.
  resolve: { mainFields: ['module', 'main'] },
  // What the entry shares with lazily loaded commands stays in the entry: two files fewer to find at every start.
  preserveEntrySignatures: 'allow-extension',
  plugins: [nodeBuiltins(), undiciHttp1(), thirdPartyLicenses()],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: false } },
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    // What `clawai proxy` needs before it starts its server is one file, whatever else shares parts of it.
    codeSplitting: {
      groups: [
        { name: 'entry', test: /src\/main\.ts$/, priority: 2 },
        { name: 'start', test: /src\/cli\/proxy\/proxy\.ts$/, priority: 1 },
      ],
    },
  },
});

// What a process of its own runs is complete in itself: it shares no file with the program, whose files are cut for its own start.
const tidier = defineConfig({
  input: { 'tidy-worker': 'src/store/tidying/tidy-worker.ts' },
  platform: 'node',
  plugins: [nodeBuiltins()],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: false } },
    entryFileNames: '[name].mjs',
  },
});

export default [program, tidier];
