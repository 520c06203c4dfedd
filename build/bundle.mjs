// Builds what rolldown.config.ts says, silent where nothing is wrong: rolldown's own command lists every file at each install.
import { build } from 'rolldown';
import { loadConfig } from 'rolldown/config';

await build(await loadConfig('rolldown.config.ts'));
