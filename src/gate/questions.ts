/** The questions to a person that are open on one connection. Once it has come to its end, there are no more. */
export class Questions {
  readonly #open = new Set<AbortController>();
  #areOver = false;

  /** What withdraws a question that is about to be asked; it is withdrawn already where nobody is left to hear of the answer. */
  create(): AbortController {
    const controller = new AbortController();
    if (this.#areOver) controller.abort();
    return controller;
  }

  /** Keeps a question open until it is settled. */
  async hold<T>(controller: AbortController, settled: Promise<T>): Promise<T> {
    this.#open.add(controller);
    try {
      return await settled;
    } finally {
      this.#open.delete(controller);
    }
  }

  /** Withdraws all, and those that are still to come. */
  withdrawAll(): void {
    this.#areOver = true;
    this.withdrawOpen();
  }

  /** Withdraws those that are open. */
  withdrawOpen(): void {
    for (const controller of this.#open) controller.abort();
  }
}

/** Resolves when a question is withdrawn. */
export function untilAborted(signal: AbortSignal): Promise<'withdrawn'> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('withdrawn'), { once: true });
  });
}
