// Loaded into a process whose event loop is watched: on SIGWINCH it writes the longest time in milliseconds that nothing else could run, since
// the last signal, to the file that CLAWAI_BENCH_LOOP names.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('SIGWINCH', () => {
  writeFileSync(process.env.CLAWAI_BENCH_LOOP, String(delay.max / 1e6));
  delay.reset();
});
