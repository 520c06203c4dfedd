// What a thread of its own runs, so that nothing else waits while the disk does.
import { workerData } from 'node:worker_threads';
import type { TidyTask } from './tidy-schedule.ts';
import { KEEP_ALL, tidy } from './tidy.ts';

const { file, retention } = workerData as TidyTask;
tidy(file, retention ?? KEEP_ALL, Date.now());
