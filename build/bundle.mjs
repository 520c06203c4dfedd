// Builds what rolldown.config.ts says, silent where nothing is wrong: rolldown's own command lists every file at each install.
// The new files are written before old ones go, so that a program that starts meanwhile finds all it needs.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { loadConfig } from 'rolldown/config';

const configs = await loadConfig('rolldown.config.ts');
const results = await build(configs);
const { dir } = configs[0].output;
const written = new Set(results.flatMap(({ output }) => output.map(({ fileName }) => fileName)));
for (const file of readdirSync(dir)) if (!written.has(file)) rmSync(join(dir, file), { recursive: true });
