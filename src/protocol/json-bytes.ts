/** Bytes of JSON that mean something (RFC 8259 §2), which in UTF-8 and UTF-16 have the same numbers. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const MINUS = 0x2d;
export const ZERO = 0x30;
export const NINE = 0x39;
