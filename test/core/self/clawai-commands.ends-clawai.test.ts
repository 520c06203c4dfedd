import { expect, it } from 'vitest';
import { endsClawai } from '../../../src/core/self/clawai-commands.ts';
import { readShellLine } from '../../../src/core/shell/shell-line.ts';

function ends(text: string): boolean {
  return endsClawai(readShellLine(text).map(({ words }) => words.map((word) => word.text)));
}

it.each([
  'pkill clawai',
  'pkill -9 -f clawai.mjs',
  '/usr/bin/pkill -f "clawai proxy"',
  'sudo killall -q clawai',
  'pkill -f "[c]lawai"',
  'pkill -f ^clawai$',
  'kill $(pgrep -f clawai)',
  'kill -9 `pidof clawai`',
  'pgrep clawai | xargs -n1 kill',
  "ps aux | grep [c]lawai | awk '{print $2}' | xargs kill",
  "kill $(ps ax | awk '/clawai/{print $1}')",
  'taskkill /F /IM clawai.exe',
])('%s', (text) => {
  expect(ends(text)).toBe(true);
});

it.each([
  'pgrep -f clawai',
  'ps aux | grep clawai',
  'pkill node',
  'kill 123; grep clawai README.md',
  'killall vite && clawai status',
  'kill $(pgrep vite); cd clawai',
])('%s ends nothing of ours', (text) => {
  expect(ends(text)).toBe(false);
});
