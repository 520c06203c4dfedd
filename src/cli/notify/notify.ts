import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '../../config/config-file.ts';
import type { Webhook } from '../../config/read-webhooks.ts';
import { ClawaiError, EXIT } from '../../errors.ts';
import { takeLock, type Lock } from '../../host/lock.ts';
import { storeFile } from '../../store/private-file.ts';
import { StoreFollower } from '../../store/reading/read-follow.ts';
import type { StoredEvent, WaitingQuestion } from '../../store/reading/read.ts';
import { defineCommand, usageError } from '../command.ts';
import { STORE_FLAGS } from '../machine/open-store.ts';
import { note } from '../terminal/notes.ts';
import { visible } from '../terminal/text.ts';
import { Channel } from './channel.ts';
import { testNotice, TOLD_TYPES, toNotice, toQuestionNotice } from './notices.ts';
import { notifyStateFile, readNotifyState, writeNotifyState } from './notify-state.ts';
import { createSend } from './send.ts';
import { notifyLock } from './start-notify.ts';

/** Milliseconds between two looks, and without anything to send until the process ends. */
const LOOK_MS = 250;
const IDLE_MS = 2000;

/** Milliseconds after which an event is no news. */
const NEWS_MS = 10 * 60 * 1000;

/** Milliseconds before the first start from which events are told: the event that started us is among them. */
const BEFORE_MS = 30_000;

/** Questions that are looked at, and ids of told ones that are kept. */
const MOST_QUESTIONS = 50;
const MOST_ASKED = 500;

/** `clawai service notify`: sends what happened to the webhooks. */
export const notifyCommand = defineCommand({
  meta: {
    name: 'service notify',
    description: 'Send what was denied, and what waits for you, to the webhooks of the config.',
    notes: [
      'clawai starts it in the background when there is something to tell, and it ends by itself. No call waits for it.',
      'WEBHOOK is a name of [webhook.NAME] in config.toml.',
    ],
    exitCodes: { 1: 'with --test: a webhook did not take the test' },
    examples: ['clawai service notify --test'],
  },
  args: {
    test: { type: 'boolean', description: 'Send a test to each webhook, or to those named, and say what came of it.' },
    ...STORE_FLAGS,
  },
  words: { hint: 'WEBHOOK…', description: 'With --test: only these.' },
  async run({ flags, words }) {
    const machine = { env: process.env, platform: process.platform, home: homedir() };
    const { webhooks, stateDir } = await loadConfig({ flag: flags.config, ...machine });
    if (flags.test) return test(webhooks, words);
    if (words.length > 0) throw usageError('names of webhooks need --test', 'clawai service notify --test NAME');
    if (webhooks.length === 0) note('there is no webhook in config.toml');
    else await notify(webhooks, stateDir);
    return EXIT.ok;
  },
});

async function test(webhooks: readonly Webhook[], names: readonly string[]): Promise<number> {
  const missing = names.find((name) => !webhooks.some((webhook) => webhook.name === name));
  if (missing !== undefined || webhooks.length === 0) {
    const known = webhooks.map(({ name }) => name).join(', ');
    const what = missing === undefined ? 'there is no webhook in config.toml' : `there is no webhook ${JSON.stringify(missing)}`;
    throw usageError(what, known === '' ? 'add a table [webhook.NAME]' : `webhooks: ${known}`);
  }
  let areSent = true;
  for (const webhook of webhooks) {
    if (names.length > 0 && !names.includes(webhook.name)) continue;
    const notice = testNotice(Date.now());
    const attempt = await createSend(webhook, { env: process.env, now: Date.now })({ notice, times: 1, dropped: 0 });
    areSent &&= attempt.outcome === 'sent';
    process.stdout.write(`${webhook.name}: ${attempt.outcome === 'sent' ? 'sent' : `not sent: ${visible(attempt.fault)}`}\n`);
  }
  return areSent ? EXIT.ok : EXIT.mismatch;
}

/** Sends what there is to tell until there is nothing more. Only one process does, and each webhook gets one request at a time. */
async function notify(webhooks: readonly Webhook[], stateDir: string): Promise<void> {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const teller = new Teller(webhooks, stateDir);
  for (;;) {
    const lock = await lockOrNothing(stateDir);
    if (lock === undefined) return;
    try {
      await teller.tellAll();
    } finally {
      lock.release();
    }
    // Whoever saw the lock until now has started no other process.
    if (!teller.isBehind()) return teller.close();
  }
}

/** Takes the lock; undefined if another process has it. */
async function lockOrNothing(stateDir: string): Promise<Lock | undefined> {
  try {
    return await takeLock({
      path: notifyLock(stateDir),
      kind: 'owned-directory',
      staleAfterMs: 10_000,
      waitMs: 0,
      purpose: 'the list of what webhooks were told',
      diesWithOwner: true,
    });
  } catch (thrown) {
    if (thrown instanceof ClawaiError && thrown.code === 'client_config_busy') return undefined;
    throw thrown;
  }
}

/** Reads what is new, and gives it to the channels. */
class Teller {
  readonly #webhooks: readonly { readonly webhook: Webhook; readonly channel: Channel }[];
  readonly #file: string;
  readonly #store: string;
  readonly #follower: StoreFollower;
  readonly #asked: Set<string>;
  readonly #resume: { readonly seq: number | undefined; readonly store: string };
  #hasBegun = false;
  /** The last event up to which all were read. */
  #seq: number | undefined;
  #written = '';

  constructor(webhooks: readonly Webhook[], stateDir: string) {
    this.#file = notifyStateFile(stateDir);
    this.#store = storeFile(stateDir);
    this.#follower = new StoreFollower(this.#store);
    const state = readNotifyState(this.#file);
    this.#resume = state;
    this.#asked = new Set(state.asked);
    this.#webhooks = webhooks.map((webhook) => ({
      webhook,
      channel: new Channel(
        {
          send: createSend(webhook, { env: process.env, now: Date.now }),
          pause: (ms) => pause(ms, undefined, { ref: false }),
          now: Date.now,
        },
        state.channels[webhook.name] ?? { sent: 0, dropped: 0, fault: '' },
      ),
    }));
  }

  /** Tells all that comes, until nothing has come and nothing has waited for a while. */
  async tellAll(): Promise<void> {
    // Only this loop keeps the process alive: once the store is gone, nobody reads what came of it.
    for (let quiet = 0; quiet < IDLE_MS && existsSync(this.#store); quiet += LOOK_MS) {
      if (this.hasNews() || this.#webhooks.some(({ channel }) => !channel.isIdle)) quiet = -LOOK_MS;
      this.#save();
      await pause(LOOK_MS);
    }
    if (existsSync(this.#store)) this.#save();
  }

  /** Gives what is new to the channels. @returns whether anything was */
  hasNews(): boolean {
    const now = Date.now();
    let hasNews = false;
    for (const event of this.#events(now)) {
      if (now - event.time > NEWS_MS) continue;
      for (const { webhook, channel } of this.#webhooks) {
        const notice = toNotice(event, webhook);
        if (notice === undefined) continue;
        channel.add(notice);
        hasNews = true;
      }
    }
    for (const question of this.#waiting(now)) {
      this.#asked.add(question.id);
      for (const { webhook, channel } of this.#webhooks) {
        if (!webhook.events.includes('questions')) continue;
        channel.add(toQuestionNotice(question, now));
        hasNews = true;
      }
    }
    return hasNews;
  }

  /** Tells whether something has come since the last look. */
  isBehind(): boolean {
    const { reader } = this.#follower;
    if (reader === undefined || !existsSync(this.#store)) return false;
    return reader.lastSeq() !== this.#seq || this.#waiting(Date.now()).length > 0;
  }

  close(): void {
    this.#follower.close();
  }

  #waiting(now: number): readonly WaitingQuestion[] {
    const waiting = this.#follower.reader?.waiting(now, MOST_QUESTIONS) ?? [];
    return waiting.filter(({ id }) => !this.#asked.has(id));
  }

  *#events(now: number): Generator<StoredEvent, void, void> {
    if (!this.#hasBegun) {
      const begun = this.#follower.begin();
      if (begun === undefined) return;
      this.#hasBegun = true;
      this.#seq = begun.last;
      const { seq, store } = this.#resume;
      const isSame = seq !== undefined && store === identityOf(this.#store);
      yield* begun.reader.events({
        types: TOLD_TYPES,
        upTo: begun.last,
        ...(isSame ? { after: seq } : { since: now - BEFORE_MS }),
      });
      return;
    }
    yield* this.#follower.added({ types: TOLD_TYPES });
    this.#seq = this.#follower.last;
  }

  /** Keeps how far it got once all up to there was sent or given up: what a killed process did not send is told again. */
  #save(): void {
    if (this.#seq === undefined || this.#webhooks.some(({ channel }) => !channel.isIdle)) return;
    const channels = Object.fromEntries(this.#webhooks.map(({ webhook, channel }) => [webhook.name, channel.counts]));
    const asked = [...this.#asked].slice(-MOST_ASKED);
    const state = { seq: this.#seq, store: identityOf(this.#store), asked, channels };
    const text = JSON.stringify(state);
    if (text === this.#written) return;
    this.#written = text;
    writeNotifyState(this.#file, state);
  }
}

function identityOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev} ${found.ino}`;
}
