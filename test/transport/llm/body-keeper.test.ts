import { describe, expect, it } from 'vitest';
import type { BodyRecord } from '../../../src/gate/ports/records.ts';
import { anthropicApi } from '../../../src/protocol/llm/anthropic/api.ts';
import { SseSplitter } from '../../../src/protocol/sse/splitter.ts';
import { BodyKeeper } from '../../../src/transport/llm/body-keeper.ts';
import { finderOf } from '../../../src/core/outgoing/secrets-of-call.ts';
import { policyFrom } from '../../support/policy.ts';
import { SECRET_SAMPLES } from '../../core/dlp/secret-samples.ts';

/** Whatever is done with what is found. */
const POLICY = policyFrom(`
[dlp]
enabled = true
on_request = "alert"
email = true
[[dlp.pattern]]
name = "staff"
regex = "EMP-[0-9]{6}"
[defaults]
action = "allow"
`);

const SECRET = SECRET_SAMPLES[0]?.secret ?? '';

const BEGINNING = [
  { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: {} } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

type Kept = Pick<BodyRecord, 'time' | 'kind' | 'request' | 'json' | 'cuts'>;

function create(record?: (body: Kept) => void): { keeper: BodyKeeper; kept: Kept[]; warnings: string[] } {
  const kept: Kept[] = [];
  const warnings: string[] = [];
  const keeper = new BodyKeeper({
    now: () => 7,
    finder: () => finderOf(POLICY.dlp),
    record: record ?? ((body) => kept.push(body)),
    warn: (line) => warnings.push(line),
  });
  return { keeper, kept, warnings };
}

describe('what is kept', () => {
  it('is what was said, in order, without secrets and only by the way', async () => {
    const { keeper, kept } = create();
    keeper.keepRequest(
      'r.1',
      JSON.stringify({ messages: [{ content: `use ${SECRET}` }], mcp_servers: [{ authorization_token: 'abc' }] }),
    );
    keeper.keepAnswer('r.1', '{"content":[{"text":"Well."}]}');
    expect(kept).toEqual([]);
    await keeper.finish();
    expect(kept).toMatchObject([
      { kind: 'request', request: 'r.1', time: 7, cuts: new Set() },
      { kind: 'answer', request: 'r.1', json: '{"content":[{"text":"Well."}]}' },
    ]);
    expect(JSON.parse(kept[0]?.json ?? '')).toEqual({
      messages: [{ content: expect.stringContaining('use [redacted:') }],
      mcp_servers: [{ authorization_token: expect.stringContaining('[redacted:') }],
    });
    expect(SECRET).not.toBe('');
  });

  it('has nothing that the policy counts as secret, in texts, names and numbers', async () => {
    const { keeper, kept } = create();
    const card = '4539148803436467';
    const content = `pay with card ${card}, ask EMP-123456 (ann@corp-mail.example)`;
    keeper.keepRequest('r.1', JSON.stringify({ messages: [{ content, 'EMP-654321': 1, card: 4539148803436467 }] }));
    keeper.keepAnswer('r.1', JSON.stringify({ content: [{ text: content }] }));
    await keeper.finish();
    const stored = kept.map(({ json }) => json).join('\n');
    expect(stored).not.toMatch(/4539|123456|654321|ann@/);
    expect(stored).toContain('pay with card [redacted:card], ask [redacted:staff] ([redacted:email])');
  });

  it('is the sum of a stream, so that no secret stays that came in pieces', async () => {
    const { keeper, kept } = create();
    const { api, keep } = keeper.watch(anthropicApi, 'r.2');
    const passed: string[] = [];
    const stream = api.createStream({
      output: {
        pass: ({ bytes, start, end }) => passed.push(bytes.toString('utf8', start, end)),
        own: (bytes) => passed.push(bytes.toString()),
        text: (text) => passed.push(text),
        parts: (parts) => passed.push(...parts),
        ask: () => {},
        fault: () => {},
      },
      nameVerdict: () => 'allow',
      maxHeld: 1000,
    });
    const delta = (text: string): string =>
      `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n\n`;
    const frames = [...BEGINNING, delta(SECRET.slice(0, 9)), delta(SECRET.slice(9))];
    const splitter = new SseSplitter({ maxFrame: 10_000 });
    splitter.push(Buffer.from(frames.join('')), (event) => stream.push(event));
    expect([stream.isHolding, stream.keepAlive]).toEqual([false, expect.stringContaining('ping')]);
    stream.end();
    keep();
    await keeper.finish();
    expect(passed.join('')).toContain(SECRET.slice(0, 9));
    expect(kept).toMatchObject([{ kind: 'answer', request: 'r.2' }]);
    expect(kept[0]?.json).toContain('"text":"[redacted:');
    expect(kept[0]?.json).not.toContain(SECRET.slice(9));
  });

  it('has bounds, and says so', async () => {
    const { keeper, kept } = create();
    keeper.keepRequest('r.1', `{"messages":["${'x '.repeat(700_000)}"]}`);
    keeper.keepRequest(
      'r.2',
      JSON.stringify({ messages: Array.from({ length: 100 }, (_, i) => `${i} ${'words '.repeat(500)}`) }),
    );
    await keeper.finish();
    expect(kept.map(({ cuts }) => [...cuts])).toEqual([expect.arrayContaining(['too_large']), []]);
    expect(Math.max(...kept.map(({ json }) => json.length))).toBeLessThan(140_000);
    expect(kept[1]?.json).toContain('earlier)","');
    expect(kept[1]?.json).toContain('99 word');
  });

  it('is the text of what is no JSON', async () => {
    const { keeper, kept } = create();
    keeper.keepAnswer('r.1', 'Bad gateway');
    await keeper.finish();
    expect(kept).toMatchObject([{ json: '"Bad gateway"' }]);
  });

  it('leaves out what comes faster than it can be kept, which is said once', async () => {
    const { keeper, kept, warnings } = create();
    for (let i = 0; i < 70; i++) keeper.keepRequest(`r.${i}`, '{}');
    await keeper.finish();
    expect([kept.length, warnings]).toEqual([64, [expect.stringContaining('faster than clawai can store them')]]);
    keeper.keepRequest('r.71', '{}');
    await keeper.finish();
    expect(kept).toHaveLength(65);
  });

  it('stops nobody where it can not be recorded', async () => {
    const { keeper, warnings } = create(() => {
      throw new Error('full');
    });
    keeper.keepRequest('r.1', '{}');
    await keeper.finish();
    expect(warnings).toEqual([expect.stringContaining('could not store a body: Error: full')]);
  });

  it.each([
    ['by the flag before it', { args: ['--password', 'hunter2hunter2'] }],
    ['by the label beside it', { name: 'X-Api-Key', value: 'hunter2hunter2' }],
    ['by the name above it', { credentials: { user: 'hunter2hunter2' } }],
  ])('of one that is too large to be read as a whole has no secret that shows %s', async (_, first) => {
    const { keeper, kept } = create();
    keeper.keepRequest('r.1', JSON.stringify({ messages: [first, 'x'.repeat(1100 * 1024)] }));
    await keeper.finish();
    expect(kept[0]?.json).toContain('[redacted:');
    expect(kept[0]?.json).not.toContain('hunter2');
    expect([...(kept[0]?.cuts ?? [])]).toContain('too_large');
  });
});
