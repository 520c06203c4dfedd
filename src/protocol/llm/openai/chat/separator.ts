/** Between what a model says and the note behind it, which is part of the same text; taken out with it again. */
export const SEPARATOR = '\n\n';
