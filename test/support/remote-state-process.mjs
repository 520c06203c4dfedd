// Adds entries to the state of remote servers, one at a time: `remote-state-process.mjs STATE_DIR NAME COUNT`.
import { addWrapped, createSecret } from '../../src/remote/remote-state.ts';

const [stateDir = '', name = '', count = '0'] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++) {
  const entry = {
    name,
    url: 'https://a.example/',
    secret: createSecret(),
    group: 'client:x',
    file: `/${name}`,
    pointer: `/${i}`,
  };
  addWrapped(stateDir, [entry]);
}
