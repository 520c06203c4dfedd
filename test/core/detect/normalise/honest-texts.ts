/** Honest texts in many scripts: what tools say of themselves, names, symbols. All in lower case and in NFKC but for what is invisible. */
export const HONEST_TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['Russian', 'читает файл с диска и возвращает его текст. касса, рост, сор, оса: все слова как есть.'],
  ['Russian with Latin names', 'запускает docker с kubernetes и git на сервере, ответ в json.'],
  ['Ukrainian', 'шукає події за датою, її назвою та місцем.'],
  ['Serbian', 'чита датотеку и враћа њен садржај.'],
  ['Greek', 'διαβάζει ένα αρχείο και επιστρέφει το περιεχόμενο του. και το κακο.'],
  ['Armenian', 'կարդում է ֆայլը եւ վերադարձնում տեքստը'],
  ['Japanese', 'ファイルを読み込み、内容を返します。api キーは不要です。'],
  ['Chinese', '读取文件并返回其内容。支持 json 和 xml 格式。'],
  ['Korean', '파일을 읽고 내용을 반환합니다.'],
  ['Arabic', 'يقرأ ملفًا ويعيد محتواه'],
  ['Devanagari', 'फ़ाइल पढ़ता है और सामग्री लौटाता है'],
  ['Thai', 'อ่านไฟล์และส่งคืนเนื้อหา'],
  ['Vietnamese', 'đọc tệp và trả về nội dung của tệp'],
  ['Turkish', 'dosyayı okur ve içeriğini döndürür, sınıf adı'],
  ['German', 'größe ändern für jeden ordner'],
  ['French', 'exécute la requête où l’hôte répond déjà'],
  ['symbols of sciences', 'the α-helix and β-sheet, δt over 5 kω, λ-calculus, ±3σ'],
  ['phonetics', 'pronounced /ɪɡˈnɔːɹ/ in english'],
  ['emoji without joiners', 'sends 🎉 and 🚀 to the channel'],
];

/** Honest texts in which something is invisible. */
export const HONEST_INVISIBLES: readonly (readonly [name: string, text: string])[] = [
  ['a family of emoji', 'Adds 👨‍👩‍👧‍👦 and 🏳️‍🌈 and ❤️ and 1️⃣ to a message'],
  ['the flag of England', 'Lists matches of 🏴󠁧󠁢󠁥󠁮󠁧󠁿 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['Hebrew with marks of direction', 'מחפש קבצים ב-\u200eGitHub\u200e ומחזיר\u200f תוצאות'],
  ['Arabic with isolates', 'يبحث في \u2068GitHub\u2069 عن \u2067ملفات\u2069'],
  ['Persian with non-joiners', 'فایل‌ها را می‌خواند و نتیجه را نشان می‌دهد'],
  ['Devanagari with joiners', 'क्‍ष और क्‌ष'],
  ['Khmer with zero-width spaces', 'អាន\u200bឯកសារ\u200bហើយ\u200bត្រឡប់'],
  ['Japanese with a variant of an ideograph', '葛\u{e0100}飾区の天気'],
  ['a mark of the byte order', '\ufeffReads a file'],
  ['a soft hyphen', 'Donau\u00addampf\u00adschiff'],
];
