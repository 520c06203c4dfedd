/**
 * Letters that are drawn like Latin ones (after the skeletons of UTS 39, the common ones by hand): pairs of such a letter and its Latin
 * look-alike. Mathematical, circled, fullwidth and other compatibility letters are not here: NFKC handles them.
 */
const FOREIGN: Readonly<Record<string, string>> = {
  cyrillic: 'аaАAвvВBеeЕEкkКKмmМMнhНHоoОOрpРPсcСCтtТTуyУYхxХXіiІIїiЇIјjЈJѕsЅSһhҺHԁdԛqԚQԝwԜWӏlӀIѵvѴVүyҮYгrьbєeпnӕaԍgԌGԐEʌv',
  greek: 'αaΑAβbΒBεeΕEζzΖZηnΗHιiΙIκkΚKνvΝNοoΟOρpΡPσoτtΤTυuΥYχxΧXγyωwςcϳjͿJΜMϜF',
  armenian: 'օoՕOսuՍUհhոnյjցgզqտuՏSԼLքpեtվuկu',
  cherokee: 'ᎠDᎡRᎢTᎥiᎪAᎫJᎬEᎳWᎷMᎻHᎽYᏀGᏃZᏎ4ᏔWᏕSᏙVᏚSᏞLᏟCᏢPᏦKᏧdᏴBᏳG',
  lisu: 'ꓐBꓑPꓒdꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴU',
  coptic: 'ⲀAⲂBⲈEⲎHⲒIⲔKⲘMⲚNⲞOⲟoⲢPⲣpⲤCⲥcⲦTⲨYⲬX',
};

/** Small capitals and phonetic letters: Latin ones, but not used in words. */
const LATIN = 'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzɑaɡgɩiƖlǀl';

/** Letters that only resemble Latin ones if the reader expects those: words of these alone are honest. */
const LOOSE = 'вкмнтгпьєӕʌεηστωβγζςτεկքեվ';

/** The Latin look-alike of a letter of another script. */
export const FOREIGN_LOOKALIKES: ReadonlyMap<string, string> = new Map(Object.values(FOREIGN).flatMap(pairs));

/** The plain look-alike of an unusual Latin letter. */
export const LATIN_LOOKALIKES: ReadonlyMap<string, string> = new Map(pairs(LATIN));

function pairs(text: string): [string, string][] {
  return text.match(/../gsu)?.map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]) ?? [];
}

export function isCloseLookalike(letter: string): boolean {
  return !LOOSE.includes(letter);
}
