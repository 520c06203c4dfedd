/** What no reader sees: default-ignorable code points (Unicode Standard, 5.21) and control characters, but for white space; a blank pattern of Braille. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\0-\x08\x0e-\x1f\x7f-\x9f\ufff9-\ufffb\u2800]/gu;

/** For each UTF-16 unit 1 where it may be invisible, or begin what may be. */
let table: Uint8Array | undefined;

/** A quick look, many times as fast as `INVISIBLE`, which says no of most texts; what it says yes of may have none. */
export function mayHaveInvisible(text: string): boolean {
  table ??= invisibleUnits();
  for (let index = 0; index < text.length; index += 1) if (table[text.charCodeAt(index)] === 1) return true;
  return false;
}

function invisibleUnits(): Uint8Array {
  const units = new Uint8Array(0x10000);
  const all = Array.from(units, (_zero, unit) => String.fromCharCode(unit)).join('');
  for (const { index } of all.matchAll(INVISIBLE)) units[index] = 1;
  for (const unit of FIRST_UNITS) units[unit] = 1;
  return units;
}

/** Of shorthand controls, of signs of music, of tags and variation selectors. */
const FIRST_UNITS = [0xd82f, 0xd834, 0xdb40, 0xdb41, 0xdb42, 0xdb43];
