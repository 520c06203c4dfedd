import type { Concept } from '../engine/concepts.ts';

/**
 * The plainest words of orders in Dutch, Polish, Turkish, Ukrainian, Indonesian, Vietnamese, Arabic and Hindi, in the format of
 * `languages.ts`. In Arabic `and`, `the` and `with` are prefixes of a word.
 */
export const FURTHER_LANGUAGES: Readonly<Partial<Record<Concept | 'neg ban', string>>> = {
  override:
    'negeer|negeren|omzeil*|sla geen acht op|zignoruj*|ignoruj*|pomiń|obejdź|zapomnij|görmezden gel|görmezden gelin|yok say|yok sayın|dikkate alma|dikkate almayın|dikkate alınmasın|unut|ігноруй*|проігноруй*|знехтуй*|обійди|abaikan|lupakan|lewati|bỏ qua|phớt lờ|quên đi|تجاهل|وتجاهل|تجاوز|انس|अनदेखा|नज़रअंदाज़|भूल जाओ|भूल जाएं',
  prior:
    'vorige|eerdere|voorgaande|bovenstaande|poprzedni*|wcześniejsz*|powyższ*|önceki|yukarıdaki|попередн*|раніше|sebelumnya|terdahulu|trước đó|trước đây|ở trên|السابقة|السابق|أعلاه|पिछले|पिछली|पहले के|उपरोक्त|ऊपर के',
  instr:
    'instructies|aanwijzingen|voorschriften|instrukcj*|wytyczn*|talimat*|kurallar*|yönerge*|вказівк*|інструкці*|інструкції|правила|instruksi|petunjuk|aturan|hướng dẫn|chỉ dẫn|chỉ thị|quy tắc|التعليمات|تعليمات|القواعد|الإرشادات|निर्देश*|नियम*',
  sysprompt:
    'systeemprompt|prompt systemowy|promptu systemowego|sistem istemi|sistem istemini|sistem komutu|sistem komutunu|sistem talimatları|sistem talimatlarını|системний промпт|системного промпту|prompt sistem|lời nhắc hệ thống|موجه النظام|تعليمات النظام|सिस्टम प्रॉम्प्ट',
  user: 'gebruiker*|użytkownik*|kullanıcı*|користувач*|pengguna|người dùng|المستخدم|للمستخدم|والمستخدم|المستخدمين|उपयोगकर्ता*|यूज़र|उपभोक्ता',
  tell: 'vertel|zeg|meld|vermeld|noem|informeer|laat weten|powiedz|mów|mówić|wspominaj|wspomnij|informuj|powiadom*|ujawniaj|söyleme*|söyle|bahset*|bildir*|haber ver|haber verme|haber vermeyin|повідомля*|повідом|кажи|говори|згадуй|розповіда*|beri tahu|memberi tahu|beritahu|katakan|sebutkan|nói với|cho biết|đề cập|thông báo|تخبر|أخبر|تذكر|تقل|تبلغ|تعلم|बताएं|बताएँ|बताओ|बताना|उल्लेख|सूचित',
  'neg ban':
    'niet|nooit|geen|nie|nigdy|bez|asla|sakın|değil|ніколи|не|jangan|tidak|tanpa|không|đừng|chớ|لا|ولا|دون|بدون|أبدا|नहीं|मत|बिना|कभी नहीं',
  hidden:
    'verberg|ukryj|ukrywaj|sakla|приховай|приховуй|sembunyikan|giấu|أخف|छिपाएं|stiekem|heimelijk|ongemerkt|potajemnie|po cichu|dyskretnie|gizlice|gizli|sessizce|gizle|непомітно|таємно|потай|diam-diam|secara rahasia|secara diam|bí mật|lặng lẽ|âm thầm|سرا|بصمت|خفية|चुपचाप|गुप्त रूप से|छिपाकर',
  read: 'lees|uitlezen|przeczytaj|odczytaj|otwórz|pobierz|oku|okuyun|oku ve|al ve|прочитай*|відкрий|зчитай|baca|bacalah|buka|ambil|đọc|mở|lấy|اقرأ|واقرأ|افتح|استخرج|احصل|पढ़ें|पढ़ो|पढ़कर|खोलें|प्राप्त करें',
  send: 'stuur|verstuur|verzend|doorsturen|stuur door|wyślij|prześlij|przekaż|wysyłaj|gönder*|ilet|iletin|yolla*|надішли*|відправ*|перешли|передай|kirim|kirimkan|teruskan|unggah|gửi|chuyển tiếp|tải lên|أرسل|وأرسل|إرسال|ارسل|حول|ارفع|भेजें|भेजो|भेज|भेजना|अपलोड',
  put: 'zet|plak|plaats|voeg|vul|wklej|wstaw|umieść|dołącz|wpisz|dodaj|ekle|yapıştır|yaz|yazın|koy|doldur|встав|додай|помісти|запиши|впиши|masukkan|tempel|tempelkan|sertakan|isi|chèn|dán|đưa|điền|thêm|ضع|وضع|أدخل|الصق|أضف|ضمن|डालें|डालो|जोड़ें|शामिल|चिपकाएं|लिखें',
  run: 'voer uit|aanroepen|roep aan|uruchom|wykonaj|wywołaj|çalıştır*|çağır*|виконай|запусти|виклич|jalankan|panggil|eksekusi|chạy|gọi|thực thi|نفذ|ونفذ|شغل|استدع|चलाएं|चलाओ|निष्पादित',
  remove: 'verwijder|wis|usuń|skasuj|sil|silin|видали|hapus|xóa|احذف|हटाएं|मिटाएं',
  modify: 'wijzig|vervang|zmień|zamień|podmień|değiştir*|зміни|заміни|ubah|ganti|thay đổi|thay thế|غير|استبدل|बदलें|बदल',
  secretword:
    'wachtwoord*|sleutel*|inloggegevens|hasło|hasła|haseł|klucz*|danych logowania|dane logowania|poświadcze*|parola*|şifre*|anahtar*|kimlik bilgileri|kimlik bilgilerini|пароль|паролі|паролів|ключі|ключ|облікові дані|kata sandi|sandi|kunci|kredensial|mật khẩu|khóa|thông tin đăng nhập|كلمة المرور|كلمات المرور|كلمة السر|المفاتيح|مفاتيح|مفتاح|بيانات الاعتماد|पासवर्ड|कुंजी|कुंजियाँ|क्रेडेंशियल',
  conv: 'gesprek|gespreksgeschiedenis|chatgeschiedenis|rozmow*|historię czatu|konuşma*|sohbet*|розмов*|історію чату|percakapan|obrolan|cuộc trò chuyện|lịch sử trò chuyện|hội thoại|المحادثة|محادثة|الدردشة|बातचीत|वार्तालाप|चैट',
  full: 'volledig|volledige|hele|gehele|alle|cały|całą|całe|pełn*|wszystki*|tüm|tamamı*|bütün|весь|всю|усі|усю|повну|повністю|seluruh|semua|lengkap|toàn bộ|tất cả|đầy đủ|كامل|كاملة|بالكامل|جميع|كل|पूरी|पूरा|सभी|संपूर्ण|समस्त',
  data: 'inhoud|bestand|bestanden|gegevens|zawartość|plik|pliku|pliki|dane|treść|içerik|içeriği*|dosya*|veriler*|вміст|файл*|дані|isi file|berkas|konten|nội dung|tệp|tập tin|dữ liệu|محتوى|محتواه|محتويات|ملف|الملف|البيانات|सामग्री|फ़ाइल|फाइल|डेटा',
  before:
    'voordat|eerst|vooraf|alvorens|zanim|przed|najpierw|önce|öncesinde|kullanmadan önce|перед|спочатку|перш ніж|sebelum|terlebih dahulu|pertama|trước khi|trước tiên|قبل|أولا|पहले|से पहले',
  must: 'moet|moeten|altijd|musisz|należy|zawsze|trzeba|meli|malı|gerekir|her zaman|mutlaka|повинен|треба|завжди|потрібно|harus|selalu|wajib|phải|luôn|bắt buộc|يجب|دائما|عليك|चाहिए|हमेशा|अनिवार्य',
  please: 'alstublieft|gelieve|proszę|lütfen|будь ласка|tolong|mohon|vui lòng|hãy|يرجى|رجاء|कृपया',
  important:
    'belangrijk|dringend|ważne|pilne|uwaga|önemli|acil|dikkat|важливо|терміново|увага|penting|perhatian|quan trọng|khẩn cấp|chú ý|مهم|هام|عاجل|تنبيه|महत्वपूर्ण|ज़रूरी|ध्यान दें',
  tool: 'hulpmiddel|gereedschap|narzędzi*|araç|aracı*|araçlar*|інструмент*|alat|công cụ|الأداة|أداة|أدوات|उपकरण|टूल',
  param:
    'veld|veldje|polu|pola|parametrze|alanı*|parametre*|поле|полі|kolom|bidang|trường|tham số|الحقل|حقل|المعامل|फ़ील्ड|फील्ड|पैरामीटर',
  without: 'zonder|bez|olmadan|sormadan|без|tanpa|mà không|دون|بدون|बिना',
  confirm:
    'toestemming|bevestiging|goedkeuring|potwierdzeni*|zgody|zgodę|pytania|onay|onayı|sormadan|izin|підтвердження|згоди|дозволу|persetujuan|konfirmasi|xác nhận|đồng ý|cho phép|تأكيد|موافقة|إذن|موافقته|पुष्टि|अनुमति|सहमति|पूछे',
  away: 'externe|extern|zewnętrzn*|harici|dış sunucu|dış sunucuya|sunucu*|зовнішн*|сервер*|eksternal|server luar|máy chủ|bên ngoài|الخادم|خادم|خارجي|सर्वर|बाहरी',
  ai: 'yapay zeka|asistan*|asystent*|асистент*|помічник|asisten|trợ lý|mô hình|المساعد|النموذج|सहायक|मॉडल',
};
