import { runInNewContext } from 'node:vm';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Bytes that V8 may use for young objects. What a middleman makes lives for a message, so more saves little; V8 would grow it to
 * 48 MiB under load and never take it back, and a client has one such process per server. Less costs a quarter of the throughput of
 * small messages (measured).
 */
const ENOUGH = 8 * 1024 * 1024;

/** Looking costs some ten microseconds, a chunk less. */
const LOOK_EVERY = 32;

/** Values are collected when the messages they were read from had so many bytes; which takes some milliseconds, as reading them did. */
const MUCH = 8 * 1024 * 1024;

/** What a process calls so that its heap stays small. */
export interface HeapLimit {
  /** Before a big message is looked at. */
  beforeBig(): void;
  /** After each chunk of work. @param bigBytes of the big messages in it */
  afterChunk(bigBytes: number): void;
}

/**
 * Keeps V8's space for young objects from growing beyond what helps, and the values of big messages from piling up: V8 sees few
 * objects and no hurry, whatever megabytes lie behind them.
 */
export function createHeapLimit(): HeapLimit {
  let calls = 0;
  let isLimited = false;
  let isHeld = false;
  let uncollected = 0;
  return {
    beforeBig() {
      // One message is looked at in one go: V8 would make room for all that it leaves behind, and we could only see it afterwards.
      if (!isLimited && !isHeld) growBy(1);
      isHeld = true;
    },
    afterChunk(bigBytes) {
      if (isHeld && !isLimited) growBy(2);
      isHeld = false;
      uncollected += bigBytes;
      if (uncollected >= MUCH) {
        uncollected = 0;
        collectAll();
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

/** What V8's space for young objects grows by when it is full; 2 is V8's own choice. */
function growBy(factor: 1 | 2): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

let collect: ((options: { readonly type: 'major' }) => void) | undefined;

function collectAll(): void {
  if (collect === undefined) {
    // The flag makes new contexts have the function; ours had been made before.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as NonNullable<typeof collect>;
  }
  collect({ type: 'major' });
}
