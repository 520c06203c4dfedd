// What a process of its own runs, so that nobody else waits while the disk does.
import type { TidyTask } from './tidy-schedule.ts';
import { KEEP_ALL, tidy } from './tidy.ts';

const { file, retention } = JSON.parse(process.argv[2] ?? '') as TidyTask;
// What knows no bound is not in JSON.
const keep = {
  retain: retention?.retain ?? KEEP_ALL.retain,
  maxSize: retention?.maxSize ?? KEEP_ALL.maxSize,
  bodies: retention?.bodies,
};
const sent = (): void => {
  // Whoever started us may have ended, and then nobody wants to know.
};
tidy(file, keep, { now: Date.now(), onRead: () => process.send?.('read', sent) });
