/** What a generator comes to, and how many steps that took. */
export function drainCounted<T>(steps: Generator<undefined, T>): { readonly value: T; readonly steps: number } {
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, steps: count };
  }
}

export function drain<T>(steps: Generator<undefined, T>): T {
  return drainCounted(steps).value;
}
