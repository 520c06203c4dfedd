/**
 * Called right before each step that changes something on the disk, with its name: by default nothing happens. Tests end the process
 * there, or let the step fail, to see that what is left behind can be used.
 */
export type Checkpoint = (step: string) => void;

export const NO_CHECKPOINT: Checkpoint = () => {};
