import { runInNewContext } from 'node:vm';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Bytes that V8 may use for young objects. A proxy's objects live for one message, so more helps little. V8 would grow the space to 48 MiB
 * under load and never shrink it, and a client has one such process per server. Less costs a quarter of the throughput of small messages
 * (measured).
 */
const ENOUGH = 8 * 1024 * 1024;

/** Chunks between two checks: a check costs some ten microseconds, a chunk less. */
const LOOK_EVERY = 32;

/** Bytes of big messages after which garbage is collected; that takes some milliseconds, as parsing them did. */
const MUCH = 8 * 1024 * 1024;

/** Bytes of copied chunks after which they are collected; that takes less than a millisecond. */
const SOME = 2 * 1024 * 1024;

/** Called by a process to keep its heap small. */
export interface HeapLimit {
  /** Called before a big message is parsed. */
  beforeBig(): void;
  /** Called with each chunk that is a part of something big and was copied: V8 does not see its size. @param bytes its length */
  copied(bytes: number): void;
  /** Called after each chunk of work. @param bigBytes bytes of the big messages in it */
  afterChunk(bigBytes: number): void;
}

/**
 * Limits V8's space for young objects, and keeps values of big messages from piling up: V8 sees only a few small objects and does not
 * collect the megabytes behind them.
 */
export function createHeapLimit(): HeapLimit {
  let calls = 0;
  let isLimited = false;
  let isHeld = false;
  let uncollected = 0;
  let copied = 0;
  return {
    beforeBig() {
      // A message is parsed in one go: V8 would grow the space for all its garbage before we could check.
      if (!isLimited && !isHeld) growBy(1);
      isHeld = true;
    },
    copied(bytes) {
      copied += bytes;
      if (copied < SOME) return;
      copied = 0;
      collectGarbage('minor');
    },
    afterChunk(bigBytes) {
      if (isHeld && !isLimited) growBy(2);
      isHeld = false;
      uncollected += bigBytes;
      if (uncollected >= MUCH) {
        uncollected = 0;
        collectGarbage('major');
      }
      if (isLimited) return;
      calls++;
      if (calls % LOOK_EVERY !== 0) return;
      const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
      if (young === undefined || young.space_size < ENOUGH) return;
      growBy(1);
      isLimited = true;
    },
  };
}

/** Sets the factor by which V8 grows a full space for young objects; its own default is 2. */
function growBy(factor: 1 | 2): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

let collect: ((options: { readonly type: 'minor' | 'major' }) => void) | undefined;

function collectGarbage(type: 'minor' | 'major'): void {
  if (collect === undefined) {
    // The flag adds `gc` to new contexts only; ours already exists.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as NonNullable<typeof collect>;
  }
  collect({ type });
}
