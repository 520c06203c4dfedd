// A server that never answers, and writes its process id to the file that its first argument names.
import { writeFileSync } from 'node:fs';

writeFileSync(process.argv[2], String(process.pid));
process.stdin.resume();
setInterval(() => {}, 1000);
