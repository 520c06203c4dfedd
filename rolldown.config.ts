import { defineConfig } from 'rolldown';
import { asciiOnly } from './build/ascii-only.ts';
import { nodeBuiltins } from './build/node-builtins.ts';
import { pageStyle } from './build/page-style.ts';
import { thirdPartyLicenses } from './build/third-party-licenses.ts';
import { undiciHttp1 } from './build/undici-http1.ts';
import { wsWithoutAddons } from './build/ws-without-addons.ts';

const transform = { inject: { 'performance.now': [`${import.meta.dirname}/build/bundled-clock.ts`, 'now'] as [string, string] } };

// Dependencies are bundled: a client starts one process per server, and every file that Node has to find costs start-up time.
const program = defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  transform,
  // Of packages that have both, the form that can be cut to what is used.
  resolve: { mainFields: ['module', 'main'] },
  // What the entry shares with lazily loaded commands stays in the entry: two files fewer to find at every start.
  preserveEntrySignatures: 'allow-extension',
  // An optional package with native code, which installing clawai brings along where there is a build of it.
  external: ['@napi-rs/keyring'],
  plugins: [nodeBuiltins(), undiciHttp1(), wsWithoutAddons(), thirdPartyLicenses(), asciiOnly()],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: false } },
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    // What `clawai proxy` needs before it starts its server is one file, whatever else shares parts of it, and so is what it needs afterwards.
    // In between are parts that small commands need too: without files of their own, these would load all of it.
    codeSplitting: {
      groups: [
        { name: 'entry', test: /src\/main\.ts$/, priority: 5 },
        { name: 'start', test: /src\/cli\/proxy\/proxy\.ts$/, priority: 4 },
        { name: 'version', test: /src\/cli\/machine\/version\.ts$/, priority: 3 },
        { name: 'terminal', test: /src\/cli\/terminal\/(?:notes|streams)\.ts$|src\/config\/describe-change\.ts$/, priority: 2 },
        {
          name: 'machine',
          test: /src\/(?:host\/(?:disk|machine)|session\/(?:find-agent|processes)|wrap\/files\/state-record|core\/shell\/quote-word)\.ts$|node-builtin:v8$/,
          priority: 2,
        },
        { name: 'store', test: /src\/cli\/(?:machine|proxy)\/open-store\.ts$/, priority: 1 },
        { name: 'guard', test: /src\/cli\/proxy\/proxy-connection\.ts$/, priority: 0 },
      ],
    },
  },
});

// What a process of its own runs is complete in itself: it shares no file with the program, whose files are cut for its own start.
const tidier = defineConfig({
  input: { 'tidy-worker': 'src/store/tidying/tidy-worker.ts' },
  platform: 'node',
  transform,
  plugins: [nodeBuiltins(), asciiOnly()],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: false } },
    entryFileNames: '[name].mjs',
  },
});

// The hook's too: clients start it for each call and wait, and each further file costs a millisecond.
const hook = defineConfig({
  input: { hook: 'src/cli/hook/hook-main.ts' },
  platform: 'node',
  transform,
  preserveEntrySignatures: 'allow-extension',
  plugins: [nodeBuiltins(), asciiOnly()],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
    // publint takes a file for CommonJS if no `export` stands behind a blank or at the start of a line.
    footer: '\nexport {};',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'hook-[name]-[hash].mjs',
    codeSplitting: { groups: [{ name: 'entry', test: /src\/cli\/hook\/hook-main\.ts$/ }] },
  },
});

// The page of `clawai dashboard`, for browsers.
const page = defineConfig({
  input: { page: 'src/page/browser/main.tsx' },
  platform: 'browser',
  tsconfig: 'src/page/tsconfig.json',
  plugins: [pageStyle(), thirdPartyLicenses('PAGE-LICENSES.txt')],
  output: { dir: 'dist', format: 'esm', minify: true, entryFileNames: '[name].js' },
});

export default [program, tidier, hook, page];
