// Stands for a middleman: prints which session it takes itself to be in; given a pid, when that is no longer its parent's. Runs are registered
// in the folder that RUNS names.
import { setTimeout } from 'node:timers/promises';
import { createSession } from '../../src/session/session.ts';

const parent = Number(process.argv[2]);
for (let waits = 0; process.ppid === parent && waits < 1000; waits++) await setTimeout(5);
const warn = (line) => console.log(line);
console.log(createSession({ env: process.env, runs: process.env['RUNS'] ?? '/nowhere', warn }).id());
