/**
 * Letters that are drawn like Latin ones (after the skeletons of UTS 39, the common ones by hand): pairs of such a letter and what it looks like. Mathematical,
 * circled, fullwidth and other compatibility letters are not here: NFKC knows them.
 */
const FOREIGN: Readonly<Record<string, string>> = {
  cyrillic: 'аaАAвvВBеeЕEкkКKмmМMнhНHоoОOрpРPсcСCтtТTуyУYхxХXіiІIїiЇIјjЈJѕsЅSһhҺHԁdԛqԚQԝwԜWӏlӀIѵvѴVүyҮYгrьbєeпnӕaԍgԌGԐEʌv',
  greek: 'αaΑAβbΒBεeΕEζzΖZηnΗHιiΙIκkΚKνvΝNοoΟOρpΡPσoτtΤTυuΥYχxΧXγyωwςcϳjͿJΜMϜF',
  armenian: 'օoՕOսuՍUհhոnյjցgզqտuՏSԼLքpեtվuկu',
  cherokee: 'ᎠDᎡRᎢTᎥiᎪAᎫJᎬEᎳWᎷMᎻHᎽYᏀGᏃZᏎ4ᏔWᏕSᏙVᏚSᏞLᏟCᏢPᏦKᏧdᏴBᏳG',
  lisu: 'ꓐBꓑPꓒdꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴU',
  coptic: 'ⲀAⲂBⲈEⲎHⲒIⲔKⲘMⲚNⲞOⲟoⲢPⲣpⲤCⲥcⲦTⲨYⲬX',
};

/** Small capitals and letters of phonetics: Latin ones, but not those of a word. */
const LATIN = 'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzɑaɡgɩiƖlǀl';

/** Like a Latin letter only to somebody who expects one: words of these alone are honest ones. */
const LOOSE = 'вкмнтгпьєӕʌεηστωβγζςτεկքեվ';

/** What a letter of another script looks like. */
export const FOREIGN_LOOKALIKES: ReadonlyMap<string, string> = new Map(Object.values(FOREIGN).flatMap(pairs));

/** What an unusual Latin letter looks like. */
export const LATIN_LOOKALIKES: ReadonlyMap<string, string> = new Map(pairs(LATIN));

function pairs(text: string): [string, string][] {
  return text.match(/../gsu)?.map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]) ?? [];
}

export function isCloseLookalike(letter: string): boolean {
  return !LOOSE.includes(letter);
}
