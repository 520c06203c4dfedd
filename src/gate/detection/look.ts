/** Something that is to be looked at when there is time. */
export interface Look {
  readonly server: string;
  /** What it keeps in memory. */
  readonly bytes: number;
  /** However much of it waits, it waits its time: the list that comes next would be held up. */
  readonly isPatient?: boolean;
  /** Looks at it. Never rejects. */
  readonly look: () => Promise<void>;
}

/** Whoever works for long asks for this in between. */
export interface TurnTaking {
  letOthers(): Promise<void>;
}

/** Where what has gone on waits to be looked at. */
export interface Looks {
  /** To be asked for wherever looking at one thing takes long. */
  readonly turns: TurnTaking;
  /** May so many bytes of a server wait? Where not, they are not looked at. */
  hasRoom(server: string, bytes: number): boolean;
  /** To be called where there is room. */
  add(look: Look): void;
  /** Goes on without a pause until nothing waits. */
  hurry(): void;
}
