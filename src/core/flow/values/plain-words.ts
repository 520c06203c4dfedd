/** Words that tell little of a text's subject: of plain English, of reports and messages, of code. */
const COMMON = new Set(
  `a able about above accept accepted access account action active actual add added address after again against ago agenda all allow allowed
almost along already also always am an and another answer any anyone anything api app application apply approve april are area argument around array as ask
asked assert assign assigned async at attach attached august author auto available await away back bad base be because become been before
begin behind being below best better between big body boolean both branch break bug build built business but button by calendar call called can cannot
case cases cause change changed changes channel chat check checked child class clean clear click client close closed code column com come
comes comment comments commit common company complete completed config configuration confirm connect connected connection console const contact contain contains
content continue copy correct could count create created current currently customer daily dashboard data database date day days dear deadline december
default define delete deleted deliver delivery denied deploy deployment describe description design detail details dev develop development did different
directory discuss discussed do docs document documentation does done dont down draft due during each early edit either else email employee empty enable
enabled end engineer engineering enough ensure enter entry env environment error errors etc even event every everyone example except exception execute exist exists exit expect
expected export extend failed failure false far feature february feedback few field file files final finally find fine finish first fix fixed folder follow following
for forget format found free friday friendly from full function further future general get getting git give given go goal going good great group guide had
half hand handle happen has have he head header hello help helpful her here hi high him his history home hope host hour hours how however html http https i id
idea if image implement implementation import important in include included index info information init input inside install instance instead int interface internal into invalid invite
is issue issues it item items its january job join json july june just keep key kind know known label large last late later latest launch lead least leave left length less let level
library like limit line link list little load local log login logs long look looks lot low made mail main make manager many march may maybe me mean meet meeting
member merge merged message messages method might minute minutes missing mode model module monday month monthly months more morning most move much must my name names need needed needs
never new next nice no node none not note notes nothing november now null number object october of off office offset often ok old on once one online only open operation option options
or order org other our out output over overview own owner page param parameter parent part parse pass password path pending people per performance permission person phone ping place plan
planned planning please point policy port possible post prepare present previous print private problem process processed product production progress project promise properties property provide public publish pull push put quarter
quarterly question questions queue quick quickly quite raise ran rather read ready really reason receive received recent record records reduce ref refer reference release released remember
remind reminder remote remove removed reply report reports repository request requests require required reset resolve resource response rest result results return returned returns review right role room root row rows rule run
running same saturday save saved say schedule scheduled script search second seconds section see seen select self send senior sent september server service session set setting settings setup several share
shared she short should show shows side since single site size small so software solution some someone something soon source src standard start started state static status step steps still
stop store string submit success successful successfully such summary sunday support sure switch sync system table tag take target task tasks team tell template test tested testing tests text than
thank thanks that the their them then there these they thing things think this those through throw thursday ticket time times title to today together token tomorrow too tool tools total track traffic true try tuesday turn two type
type undefined under unit until up update updated updates upload url use used user users using valid value values var very version via view visit void wait want warning was way we website wednesday
week weekly weeks welcome well went were what when where whether which while who why will with within without word work worked working works world would write written wrong year years yes
yesterday yet you your yours typeerror referenceerror syntaxerror rangeerror exception stacktrace enoent eacces econnrefused econnreset etimedout`.split(
    /\s+/,
  ),
);

// Bits of a character in a text: much less than its own entropy, since texts repeat others.
const COMMON_BITS = 0.8;
const WORD_BITS = 2;
const DIGIT_BITS = 2.5;
/** Paths and addresses tell little, since both servers may refer to the same place. */
const PATH_BITS = 0.4;

const IMPORT = /^\s*(?:import|from|#include|using|package|require)\b|\brequire\(/;

/**
 * Estimates the information in a text that others would not have by chance, in bits. Common words count little, names of files and
 * addresses less.
 *
 * @param text in lower case
 */
export function informationOf(text: string): number {
  let bits = 0;
  // The imports of a file are public.
  if (IMPORT.test(text)) return text.length * PATH_BITS;
  for (const token of text.split(/\s+/)) {
    const isPath = /[\w.~-]*[/\\]\w|^[a-z][\w+.-]*:\/\/|\w@\w/.test(token);
    for (const [word] of token.matchAll(/[\p{L}\p{M}]+|\p{N}+/gu)) bits += word.length * (isPath ? PATH_BITS : bitsOf(word));
  }
  return bits;
}

function bitsOf(word: string): number {
  if (!/^\p{N}/u.test(word)) return isCommon(word) ? COMMON_BITS : WORD_BITS;
  return /^(?:19|20)\d\d$|^\d$/.test(word) ? COMMON_BITS : (DIGIT_BITS * new Set(word).size) / word.length;
}

function isCommon(word: string): boolean {
  return COMMON.has(word) || COMMON.has(word.replace(/(?:s|ed|ing|ly)$/, ''));
}
