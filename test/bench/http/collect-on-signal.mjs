// Loaded into a process whose memory is measured: on SIGUSR2 it gives back what it does not need, so that what stays is what it holds.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

process.on('SIGUSR2', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // What is freed by finalizers of the first is collected by the second.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setImmediate(collect, { type: 'major', execution: 'sync', flavor: 'last-resort' });
});
