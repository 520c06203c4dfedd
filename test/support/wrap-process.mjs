// A process that wraps or unwraps: `node wrap-process.mjs MODE HOME STATE STEP [SERVER…]`. It kills itself right before that step (0: never)
// and prints, as JSON, the names of the steps and what became of each file.
import { writeSync } from 'node:fs';
import { CLIENTS } from '../../src/clients/clients.ts';
import { locateFiles } from '../../src/clients/locate.ts';
import { loadFormats } from '../../src/clients/text.ts';
import { StateFolder } from '../../src/wrap/files/state-folder.ts';
import { applyUnwrap } from '../../src/wrap/unwrap.ts';
import { applyWrap } from '../../src/wrap/wrap.ts';

const [mode, home, statePath, endAt, ...servers] = process.argv.slice(2);
const steps = [];
const checkpoint = (step) => {
  steps.push(step);
  if (steps.length === Number(endAt)) process.kill(process.pid, 'SIGKILL');
};
await loadFormats(['json5', 'toml', 'yaml']);
const request = {
  located: locateFiles(CLIENTS, { env: {}, platform: 'linux', home }, []),
  clients: CLIENTS,
  policies: [],
  selection: servers.length === 0 ? {} : { servers },
  launcher: ['/opt/node/bin/node', '/opt/clawai/bin/clawai.mjs'],
  version: '1.0.0',
  state: new StateFolder(statePath, checkpoint),
  checkpoint,
};
const outcomes = await (mode === 'wrap' ? applyWrap(request) : applyUnwrap(request));
const files = outcomes.map(({ error, report }) => ({
  error: error === undefined ? undefined : { code: error.code, message: error.message },
  actions: report?.entries.map(({ server, action }) => `${server} ${action}`),
}));
writeSync(1, `${JSON.stringify({ steps, files })}\n`);
