// Puts load on clawai for as long as it is told, to see whether it takes more and more.
//   npm run soak -- http [MINUTES]
//   npm run soak -- sse [MINUTES]
// Exit code 1 where it does.
const SOAKS: Readonly<Record<string, (minutes: number) => Promise<0 | 1>>> = {
  http: async (minutes) => (await import('./http.ts')).soakHttp(minutes),
  sse: async (minutes) => (await import('./sse.ts')).soakSse(minutes),
};
const HOUR = '60';

const [name = '', length = HOUR] = process.argv.slice(2);
const soak = Object.hasOwn(SOAKS, name) ? SOAKS[name] : undefined;
const minutes = Number(length);

if (soak === undefined || !(minutes > 0 && minutes < Number.POSITIVE_INFINITY)) {
  process.stderr.write(`which one of ${Object.keys(SOAKS).join(', ')}, and for how many minutes? npm run soak -- http 60\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await soak(minutes);
}
