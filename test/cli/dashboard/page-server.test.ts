import { request, type IncomingHttpHeaders } from 'node:http';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Door } from '../../../src/cli/dashboard/door.ts';
import { PageServer } from '../../../src/cli/dashboard/page-server.ts';
import { usageError } from '../../../src/cli/command.ts';
import type { FeedMessages } from '../../../src/page/wire.ts';
import { SqliteQuestions } from '../../../src/store/approval-store.ts';
import { type Listener, startListener } from '../../../src/transport/http/listener.ts';
import { question } from '../../support/questions.ts';
import { recordedCall, RecordedStore } from '../../support/recorded-store.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'clawai-page-'));
const file = join(folder, 'clawai.db');
const door = new Door();
const warnings: string[] = [];
const questions = new SqliteQuestions({ file, sync: 'normal' });
const asked: unknown[] = [];
let store: RecordedStore;
let listener: Listener;
let server: PageServer;

beforeAll(async () => {
  store = new RecordedStore(file);
  const warn = (message: string): unknown => warnings.push(message);
  server = new PageServer({
    door,
    views: {
      get: {
        thing: (query) => ({ of: query.get('a') }),
        broken: () => {
          throw new Error('a bug');
        },
        wrong: () => {
          throw usageError('not so', 'but so');
        },
      },
      post: {
        answer: (body) => {
          asked.push(body);
          return { isTaken: true };
        },
      },
    },
    feed: { file, questions, warn },
    warn,
  });
  listener = await startListener({ host: '127.0.0.1', port: 0, hosts: [], handle: (...all) => server.handle(...all), warn });
});

afterAll(async () => {
  server.close();
  await listener.close(0);
  questions.close();
  store.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function ask(path: string, headers: Record<string, string> = {}, { method = 'GET', body = '' } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(`${listener.origin}${path}`, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    asking.on('error', reject).end(body);
  });
}

async function cookie(): Promise<string> {
  const opened = await ask(`/?token=${door.issue()}`);
  const [set = ''] = opened.headers['set-cookie'] ?? [];
  return set.split(';')[0] ?? '';
}

describe('the door', () => {
  it('turns a token into a cookie once, and leads to an address without it', async () => {
    const ticket = door.issue();
    const opened = await ask(`/?token=${ticket}`);
    expect(opened).toMatchObject({ status: 303, headers: { location: door.path } });
    const [set = ''] = opened.headers['set-cookie'] ?? [];
    expect(set).toMatch(/^clawai=[\w-]{32}; Path=\/[\w-]{32}\/; HttpOnly; SameSite=Strict$/);
    expect(opened.headers['location']).not.toContain(ticket);
    expect(await ask(`/?token=${ticket}`)).toMatchObject({ status: 403 });
    expect((await ask(door.path, { cookie: set.split(';')[0] ?? '' })).body).toContain('page.js');
  });

  it.each(['', 'page.js', 'page.css', 'api/thing', 'api/feed', 'api/none'])(
    'opens %j to nobody without the cookie',
    async (path) => {
      for (const headers of [{}, { cookie: 'clawai=' }, { cookie: `clawai=${door.issue()}` }, { authorization: 'Bearer x' }]) {
        expect((await ask(`${door.path}${path}`, headers)).status).toBe(403);
      }
      const elsewhere = await ask(`/${path}`, { cookie: await cookie() });
      expect([403, 404]).toContain(elsewhere.status);
    },
  );

  it.each([
    ['another Host', { host: 'evil.example' }, 'GET'],
    ['another port', { host: '127.0.0.1:1' }, 'GET'],
    ['another origin', { origin: 'http://evil.example' }, 'GET'],
    ['a page on another port', { origin: 'http://127.0.0.1:1' }, 'GET'],
    ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 'GET'],
    ['the same site on another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 'GET'],
    ['a frame', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 'GET'],
    ['an answer without an origin', { 'content-type': 'application/json' }, 'POST'],
    ['an answer of null', { origin: 'null', 'content-type': 'application/json' }, 'POST'],
    ['an answer of a form', { origin: 'own', 'content-type': 'text/plain' }, 'POST'],
  ])('refuses %s', async (_what, headers, method) => {
    const name = method === 'GET' ? 'thing' : 'answer';
    const own = Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [key, value === 'own' ? listener.origin : value]),
    );
    const answer = await ask(
      `${door.path}api/${name}`,
      { cookie: await cookie(), ...own },
      { method, body: method === 'POST' ? '{}' : '' },
    );
    expect(answer.status).toBe(403);
    expect(asked).toEqual([]);
  });

  it('sends every answer, refusals too, with a strict policy and without caches', async () => {
    const from = { cookie: await cookie() };
    for (const answer of [
      await ask('/'),
      await ask('/x'),
      await ask(door.path, from),
      await ask(`${door.path}api/thing`, from),
    ]) {
      expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(answer.headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
    expect((await ask(door.path, from)).body).not.toMatch(/<script(?![^>]*src=)|style=|<style/);
  });
});

describe('what the page asks for', () => {
  it('is answered as JSON; what is wrong is said, and a bug is ours to see', async () => {
    const from = { cookie: await cookie() };
    expect(await ask(`${door.path}api/thing?a=b`, from)).toMatchObject({ status: 200, body: '{"of":"b"}' });
    expect(await ask(`${door.path}api/wrong`, from)).toMatchObject({ status: 422, body: '{"problem":"not so (but so)"}' });
    expect(await ask(`${door.path}api/broken`, from)).toMatchObject({ status: 500 });
    expect(warnings.splice(0)).toEqual([expect.stringContaining('a bug')]);
    for (const name of ['toString', '__proto__', 'answer', 'thing/x'])
      expect((await ask(`${door.path}api/${name}`, from)).status).toBe(404);
    const post = { ...from, origin: listener.origin, 'content-type': 'application/json' };
    expect(await ask(`${door.path}api/answer`, post, { method: 'POST', body: '{"id":"x"}' })).toMatchObject({ status: 200 });
    expect(asked.splice(0)).toEqual([{ id: 'x' }]);
    for (const body of ['[]', 'null', '1'])
      expect((await ask(`${door.path}api/answer`, post, { method: 'POST', body })).status).toBe(422);
  });
});

interface Message {
  readonly name: string;
  readonly id: string;
  readonly data: unknown;
}

/** A page that is open. */
class Reading {
  readonly messages: Message[] = [];
  readonly close: () => void;

  constructor(from: Record<string, string>) {
    const asking = request(`${listener.origin}${door.path}api/feed`, { headers: from }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          const fields = new Map(
            part.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
          );
          if (!fields.has('event')) continue;
          this.messages.push({
            name: fields.get('event') ?? '',
            id: fields.get('id') ?? '',
            data: JSON.parse(fields.get('data') ?? ''),
          });
        }
      });
    });
    asking.on('error', () => {}).end();
    this.close = () => void asking.destroy();
  }

  of<Name extends keyof FeedMessages>(name: Name): FeedMessages[Name][] {
    return this.messages.flatMap((each) => (each.name === name ? [each.data as FeedMessages[Name]] : []));
  }
}

describe('the feed', () => {
  const opened: Reading[] = [];
  const open = async (last?: string): Promise<Reading> => {
    const reading = new Reading({ cookie: await cookie(), ...(last === undefined ? {} : { 'last-event-id': last }) });
    opened.push(reading);
    await until('the feed has begun', () => reading.messages.length > 0);
    return reading;
  };
  let recorded = 0;
  const record = (count: number): void => {
    store.database.exec('BEGIN');
    for (let i = 0; i < count; i++) {
      recorded += 1;
      store.add(recordedCall({ tool_name: `tool-${recorded}`, server_id: 'a\u202Eb<img src=x onerror=alert(1)>' }));
    }
    store.database.exec('COMMIT');
  };
  afterEach(() => {
    for (const reading of opened.splice(0)) reading.close();
  });

  it('begins with the newest events, goes on with what comes, and takes up where a page left off', async () => {
    record(150);
    const page = await open();
    expect(page.of('start')[0]?.map(({ subject }) => subject)).toEqual(Array.from({ length: 100 }, (_, i) => `tool-${i + 51}`));
    expect(page.of('start')[0]?.[0]?.server).toBe('a\\u{202E}b<img src=x onerror=alert(1)>');
    record(3);
    await until('three more', () => page.of('more').length > 0);
    expect(page.of('more')).toMatchObject([
      { events: [{ subject: 'tool-151' }, { subject: 'tool-152' }, { subject: 'tool-153' }] },
    ]);
    const { id } = page.messages.findLast(({ name }) => name === 'more') as Message;
    page.close();
    record(200);
    const again = await open(id);
    expect(again.of('start')).toEqual([]);
    expect(again.of('more')[0]?.events.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 200 }, (_, i) => `tool-${i + 154}`),
    );
    again.close();
    record(2000);
    for (const last of [id, '1-1.3', 'nonsense', '']) {
      const late = await open(last);
      expect(late.of('start')[0]).toHaveLength(100);
      expect(late.of('start')[0]?.at(-1)?.subject).toBe(`tool-${recorded}`);
    }
  });

  it('sends no more than a page takes at once', async () => {
    const page = await open();
    record(1700);
    await until('more came', () => page.of('more').length > 0);
    const [more] = page.of('more');
    expect(more).toMatchObject({ isCut: true });
    expect(more?.events).toHaveLength(500);
    expect(more?.events.at(-1)?.subject).toBe(`tool-${recorded}`);
  });

  it('has the questions, and says when others wait', async () => {
    const one = question({ server: 's\u0007', args: '{"path":"\u202E/etc"}' });
    questions.ask(one, { most: 100, within: 1000 });
    const page = await open();
    await until('a question', () => page.of('questions').length > 0);
    expect(page.of('questions')[0]?.questions).toMatchObject([{ id: one.id, server: 's\\u{7}', canRemember: true }]);
    expect(page.of('questions')[0]?.questions[0]?.details.join('\n')).toContain('"path": "\\u{202E}/etc"');
    questions.answer(one.id, { state: 'refused', by: 'a test', remember: 'once' }, { now: Date.now(), grantedUntil: 0 });
    await until('it is gone', () => page.of('questions').length > 1);
    expect(page.of('questions')[1]?.questions).toEqual([]);
  });

  it('is open to no more pages than a person has', async () => {
    const from = { cookie: await cookie() };
    for (let i = 0; i < 12; i++) await open();
    expect((await ask(`${door.path}api/feed`, from)).status).toBe(503);
    for (const reading of opened) reading.close();
    await until('the others have gone', async () => {
      const reading = new Reading(from);
      opened.push(reading);
      await new Promise((settle) => setTimeout(settle, 50));
      return reading.messages.length > 0;
    });
  });

  it('begins anew once another store has taken the place of this one, whose numbers are lower', async () => {
    record(3);
    const page = await open();
    const other = new RecordedStore(`${file}.other`);
    other.add(recordedCall({ tool_name: 'of another store' }));
    other.close();
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    renameSync(`${file}.other`, file);
    await until('it has begun again', () => page.of('start').length > 1);
    expect(page.of('start')[1]).toMatchObject([{ subject: 'of another store' }]);
    expect(page.of('more')).toEqual([]);
  });
});
