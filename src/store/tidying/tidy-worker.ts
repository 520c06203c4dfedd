// Entry of the tidying process: nobody else waits while it waits for the disk.
import type { TidyTask } from './tidy-schedule.ts';
import { KEEP_ALL, tidy } from './tidy.ts';

const { file, retention } = JSON.parse(process.argv[2] ?? '') as TidyTask;
// JSON has no Infinity, so missing bounds are filled in.
const keep = {
  retain: retention?.retain ?? KEEP_ALL.retain,
  maxSize: retention?.maxSize ?? KEEP_ALL.maxSize,
  bodies: retention?.bodies,
};
const sent = (): void => {
  // The parent may have exited, so a failed send is ignored.
};
tidy(file, keep, { now: Date.now(), onRead: () => process.send?.('read', sent) });
