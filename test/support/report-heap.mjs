// Loaded into a process whose memory is measured: on SIGUSR2 it gives back what it does not need, and says on stderr how many bytes of the heap it holds.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

process.on('SIGUSR2', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // What is freed by finalizers of the first is collected by the second.
  collect();
  setImmediate(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write(`heap: ${heapUsed + external}\n`);
  });
});
