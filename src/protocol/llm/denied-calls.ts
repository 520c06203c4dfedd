/** A call that was denied, as far as the requests after it have to know it. */
export interface DeniedCall {
  /** The API's own id; empty where it has none. */
  readonly id: string;
  readonly name: string;
  /** As a request's history has it: JSON text in the API's own words. */
  readonly text: string;
  /** The whole note that took its place in the answer. */
  readonly note: string;
}

/** A call in a text, where its note is. */
export interface NotedCall {
  readonly call: DeniedCall;
  readonly start: number;
  readonly end: number;
}

/** The denied calls of the conversations that go one way. */
export interface DeniedCalls {
  /** The calls whose whole notes are in a text, in order, each once, where it is first. A note that was changed, made up, or given in another conversation is none. */
  notedIn(text: string): readonly NotedCall[];
  /** Those of an answer that the provider remembers. @param id the API's id of the answer */
  ofAnswer(id: string): readonly DeniedCall[];
}
