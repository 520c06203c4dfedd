/** The way in which a text was hidden in another one. */
export type Hiding =
  | 'unicode_tags'
  | 'variation_selectors'
  | 'zero_width'
  | 'zero_width_space'
  | 'terminal_escape'
  | 'bidi_override'
  | 'base64'
  | 'hex'
  | 'binary'
  | 'decimal'
  | 'base32'
  | 'escapes'
  | 'spelling'
  | 'spacing'
  | 'joined'
  | 'rot13';

/** A text that was hidden in another one. */
export interface HiddenText {
  readonly text: string;
  readonly hiding: Hiding;
  /** UTF-16 offset of its beginning in the text as sent. */
  readonly position: number;
}
