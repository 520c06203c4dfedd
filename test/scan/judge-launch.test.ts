import { describe, expect, it } from 'vitest';
import { judgeLaunch, programOf } from '../../src/scan/judge-launch.ts';
import type { ScanLaunch } from '../../src/scan/scanned.ts';

function command(line: string): ScanLaunch {
  const [first = '', ...args] = line.split(' ');
  return { kind: 'command', words: [first, ...args], env: {} };
}

function url(text: string): ScanLaunch {
  return { kind: 'url', url: text, headers: {} };
}

function found(launch: ScanLaunch): readonly string[] {
  return judgeLaunch(launch).map(({ id, severity, subject }) => `${id} ${severity} ${subject}`);
}

describe('judgeLaunch', () => {
  it.each([
    ['npx -y server', ['unpinned-package medium server']],
    ['npx -y server@1.2.3', []],
    ['docker run mcp/fetch:v1', ['moving-tag low mcp/fetch']],
    ['npx mcp-remote@1.0.0 http://mcp.example.com/sse', ['plain-http high mcp.example.com']],
    ['server --url=http://10.0.0.5:80/mcp', ['plain-http medium 10.0.0.5']],
    ['server https://mcp.example.com http://127.0.0.1:3000 http://localhost/x', []],
  ])('%s: %j', (line, expected) => {
    expect(found(command(line))).toEqual(expected);
  });

  it.each([
    ['http://mcp.example.com/mcp', ['plain-http high mcp.example.com']],
    ['http://box.local:8080/mcp', ['plain-http medium box.local:8080']],
    ['http://[::1]:3000/mcp', []],
    ['https://mcp.example.com/mcp', []],
    ['${URL}', []],
  ])('%s: %j', (text, expected) => {
    expect(found(url(text))).toEqual(expected);
  });
});

describe('programOf', () => {
  it('is the same for one program in two versions or with two folders', () => {
    expect(programOf(command('npx -y server@1.0.0 /a'))).toBe(programOf(command('npx server /b')));
    expect(programOf(command('node /x/server.js /a'))).toBe(programOf(command('node /x/server.js /b')));
    expect(programOf(url('https://x.example/mcp?token=1'))).toBe(programOf(url('https://x.example/mcp')));
    expect(programOf(command('node /x/one.js'))).not.toBe(programOf(command('node /x/other.js')));
  });
});
