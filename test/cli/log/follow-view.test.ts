import { describe, expect, it } from 'vitest';
import { FollowView } from '../../../src/cli/log/follow-view.ts';
import { displayWidth } from '../../../src/cli/terminal/text.ts';
import type { StoredEvent, WaitingQuestion } from '../../../src/store/reading/read.ts';

const NOW = Date.now();
let seq = 0;

function call(tool: string, columns: Partial<StoredEvent> = {}, body: object = {}): StoredEvent {
  seq += 1;
  const common = { seq, time: NOW, type: 'mcp_tool_called', session: 's', server: 'files', action: 'allow', severity: null };
  const fields = { id: `0123456789abcdef.${seq}`, reason: 'rule', rule: 'r', input: { path: 'a' }, ...body };
  return { ...common, tool, body: JSON.stringify(fields), ...columns };
}

function asked(id: string, fields: Partial<WaitingQuestion> = {}): WaitingQuestion {
  const subject = { server: 'files', method: 'tools/call', tool: 'write', resource: null, prompt: null, rule: 'ask' };
  return { id, ...subject, askedAt: NOW, expiresAt: NOW + 1000, ...fields };
}

const viewOf = (width = 80, colour = false): FollowView => new FollowView(() => ({ width, colour }));
const DENIED = { action: 'block' } as const;

/** The lines that a terminal shows after this output. */
function screen(...outputs: readonly string[]): string[] {
  const lines = [''];
  for (const part of outputs.join('').split(/(\r\u001b\[K|\u001b\[1A\u001b\[K|\n)/)) {
    if (part === '\n') lines.push('');
    else if (part === '\r\u001b[K') lines[lines.length - 1] = '';
    else if (part === '\u001b[1A\u001b[K') lines.splice(-2, 2, '');
    else lines[lines.length - 1] += part;
  }
  return lines;
}

describe('clawai log --follow on a terminal', () => {
  it('has one aligned line for each call, and sums up below', () => {
    const view = viewOf();
    const lines = screen(view.events([call('read'), call('write_file', DENIED), call('read_all')], NOW));
    expect(lines).toHaveLength(4);
    expect(lines.map((line) => line.indexOf('files')).slice(0, 3)).toEqual([18, 18, 18]);
    expect(lines[1]).toMatch(/DENIED {2}files .*write_file .* r .* 012345\.\d+$/);
    expect(lines[3]).toBe('last minute: 3 calls, 1 denied, 0 asked');
  });

  it('folds lines that repeat, also over several looks', () => {
    const view = viewOf();
    const outputs = [
      view.events([call('read'), call('write', DENIED), call('write', DENIED)], NOW),
      view.events([call('write', DENIED)], NOW),
      view.events([call('read')], NOW),
    ];
    const lines = screen(...outputs);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/write .*×3 012345\.\d+$/);
    expect(lines[3]).toBe('last minute: 5 calls, 3 denied, 0 asked');
  });

  it('shows each question once, with the command to answer', () => {
    const view = viewOf();
    const outputs = [view.questions([asked('K7Q2MX')], NOW), view.questions([asked('K7Q2MX'), asked('AAAAAA')], NOW)];
    const lines = screen(...outputs);
    expect(lines.map((line) => /clawai approve \w+$/.exec(line)?.[0])).toEqual([
      'clawai approve K7Q2MX',
      'clawai approve AAAAAA',
      undefined,
    ]);
    expect(view.questions([asked('K7Q2MX'), asked('AAAAAA')], NOW)).toBe('');
    expect(screen(...outputs, view.questions([], NOW + 61_000)).at(-1)).toBe('last minute: 0 calls, 0 denied, 0 asked');
    expect(screen(...outputs, view.end()).at(-1)).toBe('');
  });

  it.each([1, 10, 20, 40, 60, 80, 200])('never fills %d columns, whatever a peer calls things', (width) => {
    const hostile = `\u001b[2J\u202E\n${'wide 漢字 '.repeat(50)}`;
    const view = viewOf(width);
    const text = view.events(
      [call(hostile, { ...DENIED, server: hostile }), call(hostile, { body: null }), call('a', { type: hostile })],
      NOW,
    );
    const more = view.questions([asked('K7Q2MX', { server: hostile, tool: hostile, rule: hostile })], NOW);
    const lines = screen(text, more);
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      expect(displayWidth(line)).toBeLessThan(Math.max(2, width));
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    if (width >= 40) expect(lines.at(-2)).toContain('clawai approve K7Q2MX');
  });

  it('has colours only if asked to', () => {
    const events = [call('read'), call('write', DENIED)];
    expect(viewOf(80, false).events(events, NOW)).not.toContain('\u001b[3');
    expect(viewOf(80, true).events(events, NOW)).toContain('\u001b[31m');
  });
});
