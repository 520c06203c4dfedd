// A reporter for vitest that says every ten seconds how far the tests are and what runs just now: a person waits for them, and a line for each
// of a thousand files would bury what failed.
const PAUSE_MS = 10_000;

export default class Progress {
  #started = performance.now();
  #files = 0;
  #done = 0;
  #tests = 0;
  #failed = 0;
  #running = new Set();
  #timer;

  onTestRunStart(files) {
    this.#files = files.length;
    this.#timer = setInterval(() => this.#print(), PAUSE_MS);
    this.#timer.unref();
  }

  onTestModuleStart({ relativeModuleId }) {
    this.#running.add(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId, children }) {
    this.#running.delete(relativeModuleId);
    this.#done += 1;
    for (const test of children.allTests()) {
      const { state } = test.result();
      if (state !== 'skipped') this.#tests += 1;
      if (state === 'failed') this.#failed += 1;
    }
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
  }

  #print() {
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} FAILED`;
    const now = [...this.#running].slice(0, 2).join(', ');
    console.log(`  ${seconds} s: ${this.#done} of ${this.#files} files, ${this.#tests} tests${failed}; now ${now}`);
  }
}
