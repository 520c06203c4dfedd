import type { Concept } from '../engine/concepts.ts';

/**
 * The plainest words of orders in other languages: German, French, Spanish, Portuguese, Italian, Russian. A word that ends in `*` matches
 * all words that begin with it. Their word order differs, so clauses with such words are matched in any order.
 */
export const WRITTEN_WITH_SPACES: Readonly<Partial<Record<Concept | 'neg ban', string>>> = {
  override:
    'ignorier*|missacht*|vergiss|vergessen sie|überschreib*|umgeh*|ignorez|ignorer|oublie|oubliez|contourn*|outrepass*|ignora|ignore todas|ignorar|olvida|olvide|omite|descarta|elude*|eludi*|elud*|desconsidere|esqueça|ignori|dimentica|aggira*|' +
    'игнориру*|забудь*|проигнорир*|обойди|обход*|пренебрег*|отбрось*|не обращай внимания|не обращайте внимания|не учитывай|не принимай во внимание|tiens aucun compte|tenez aucun compte|tiens pas compte|tenez pas compte|tenir compte|faites abstraction|fais abstraction|laisse de côté|laissez de côté|haz caso omiso|haga caso omiso|hagas caso|no tengas en cuenta|no tenga en cuenta|deja de lado|deje de lado|pasa por alto|pase por alto|non tenere conto|non tener conto|lascia perdere|deixe de lado|não leve em conta|beachte nicht|beachten sie nicht|halte dich nicht|außer acht|außer kraft|setz dich über|reemplaz*|remplaç*|ersetz*|sobrescrib*|zignoruj|negeer|anula',
  prior:
    'vorherig*|bisherig*|vorangehend*|früher*|précédent*|antérieur*|anterior*|previa|previas|previo|previos|auparavant|reçues|jusque là|recibidas|hasta ahora|hasta aquí|erhalten*|bis jetzt|bis hierher|zuvor|gegebene*|ricevute|finora|recebidas|até agora|полученн*|ранее|до этого|выше|prévias|prévios|préalables|precedent*|anteriores|предыдущ*|прежн*|прошл*|poprzedni*|vorige|todas|toutes|alle|все|tutte',
  instr:
    'anweisung*|instruktion*|regeln|vorgaben|richtlinie*|instrucciones|instrucción|instructions|instruccion|instruções|instrução|consignes|directives|règles|reglas|directrices|istruzion*|regole|инструкц*|правил*|указани*|команды|instrukcj*|instructies|restricciones',
  sysprompt:
    'systemprompt|system-prompt|prompt système|prompt del sistema|instrucciones del sistema|prompt do sistema|системного промпта|системному промпту|системный промпт|системные инструкции|instrucciones previas del sistema',
  safety: 'sicherheit*|sécurité|seguridad|segurança|sicurezza|безопасност*|permisos|autorisation*|zugriffs*|berechtigung*',
  check:
    'prüfung*|kontroll*|contrôle*|vérification*|controles|comprobacion*|verificac*|controlli|проверк*|filtros|filtres|filter',
  youself: 'du|sie|tu|vous|usted|você|ты|вы|eres|asistente|assistent|assistant|ассистент*|помощник',
  younow:
    "du bist jetzt|sie sind jetzt|ab jetzt|ab sofort|tu es maintenant|vous êtes maintenant|désormais|ahora eres|a partir de ahora|agora você é|a partir de agora|ora sei|d'ora in poi|теперь ты|отныне|ты теперь|вы теперь",
  mode: 'uneingeschränkt*|ohne einschränkung|ohne einschränkungen|sans restriction|sans restrictions|sin restricciones|sem restrição|sem restrições|senza restrizioni|без ограничений|acceso total',
  adopt: 'adoptar|adopta|adopter|annehmen|assumere|принять',
  persona: 'persona|personnage|personalidad|rolle|роль',
  user: 'benutzer*|nutzer*|anwender*|utilisateur*|usuario*|usuária*|utente|utenti|пользовател*|użytkownik*|gebruiker',
  tell: 'sag|sagen|erwähn*|mitteil*|teile|verrate*|zeige|dis|dites|mentionn*|mencion*|informe*|informieren|informez|informar|informa|informi|digas|decir|dile|diga|cuente*|menzion*|dire|говори*|сообща*|упомина*|рассказыва*|уведомля*|не говори|не говорите|digáis|comentes|comente|parle|parles|parlez|parler|préviens|prévenez|avertis|hinweis*|unterricht*|benachrichtig*|notifique|notificar|notifica|notifichi|notifie|notifiez|reveles|revele|revela|revelar|signalez|signaler',
  'neg ban':
    'nicht|nichts|rien|nada|niente|nulla|ничего|niemals|keinesfalls|ohne|nie|ne|pas|jamais|sans|no|nunca|jamás|sin|não|nunca|sem|non|mai|senza|sehen sie davon ab|sieh davon ab|davon absehen|abzusehen|verzichte*|évite*|evita*|гляди не|избегай*|не|никогда|без|nie|niet|kein*',
  hidden:
    "verstecke|verstecken sie|verbirg|verberge|cachez|dissimul*|oculta|oculte|ocultar|esconde|esconda|nascondi|скрыва*|скрой|утаи*|heimlich|verdeckt|im hintergrund|secrètement|discrètement|silencieusement|en secreto|silenciosamente|discretamente|segretamente|тайно|незаметно|втайне|скрыто|sin que|à l'insu|ohne wissen",
  read: 'lies|lesen|liest|auslesen|öffne|öffnen|lis|lisez|lire|ouvre*|lit|lee|leer|lea|abre|leia|ler|leggi|leggere|прочитай*|прочти|читай*|открой*|извлеки|przeczytaj|lees|muestra|zeig|affiche*|mostra|покажи',
  send: 'sende|senden|sendet|schick*|übermittel*|leite|leiten|weiterleit*|weiter|hochlad*|lade|envoie|envoyez|envoyer|transmets|transmettez|transmet|transmettre|transfère*|transmita|transmitir|téléverse*|envíalo|envíala|envíalas|envíalos|envíale|mándalo|reenvíalo|envía|envíe|enviar|envíes|reenvía|manda|transmite|envie|invia|inviare|inoltra|отправ*|перешли*|передай*|переда*|загрузи*|отошли*|wyślij|stuur|versturen|envia',
  put: 'übergib|übergeben|füge|einfügen|hänge|setze|schreib*|passe|passez|pásale|pásalo|pásala|pásales|pasarle|envíale|mándale|ajoute*|insère*|inclu*|pasa|pase|añade|agrega|inserisci|включи*|добавь*|вставь*|помести*|запиши*|mets',
  run: 'rufe|aufrufen|führe|ausführen|starte|appelle*|exécut*|lance*|llama*|ejecut*|invoca*|execute|chame|esegui|chiama|вызови*|выполни*|запусти*|uruchom|voer',
  steal: 'stehl*|vole|robar|roba|укради*|выкради*',
  secretword:
    'passwort*|kennwort|zugangsdaten|schlüssel|geheimnis*|anmeldedaten|mot de passe|mots de passe|identifiants|clé*|clave*|contraseña*|credencial*|senha*|chave*|credenziali|chiavi|парол*|ключ*|учетные данные|учётные данные|учетных данных|учётных данных|токен*|секрет*|учетн*|hasło|wachtwoord',
  conv: 'gesprächsverlauf|unterhaltung*|chatverlauf|konversation*|historique|conversación|conversaci*|conversa|historial|conversazione|диалог*|переписк*|история чата|историю чата|истории чата|разговор*|nachrichten',
  full: 'vollständig*|gesamt*|completo|completa|complète|completamente|intégral*|entièr*|tout|todo|toda|intero|полност*|весь|всю|целиком|wörtlich',
  data: 'datei|dateien|inhalt*|daten|fichier*|contenu|données|archivo*|contenido|datos|arquivo*|dados|file|contenuto|dati|файл*|содержимое|данные|данных|ergebnisse|résultats|resultados|результат*',
  before:
    "bevor|vor|zuerst|zunächst|vorher|avant|d'abord|antes|primero|antes de|prima|перед|прежде|сначала|сперва|eerst|najpierw",
  must: 'musst|müssen|muss|soll|sollst|dois|devez|doit|debe|debes|tienes que|deve|devi|должен|должны|обязан|обязательно|нужно|immer|toujours|siempre|sempre|всегда',
  important:
    'wichtig|dringend|achtung|hinweis|importante|urgente|atención|attention|atenção|важно|внимание|срочно|немедленно|ważne|belangrijk|sofort|immédiatement|inmediatamente',
  please: "bitte|veuillez|s'il vous plaît|por favor|per favore|пожалуйста",
  words: 'anfrage*|auftrag|demande|requête|solicitud|petición|richiesta|pedido|запрос*|просьб*',
  other:
    'anderen|andere|anderes|übrigen|autre|autres|demás|otra|otras|otro|otros|outra|outras|altri|altre|altro|другой|другого|других|другие|другим|остальны*',
  stranger: 'dritten|fremden|посторонн*|desconocidos|inconnus|tiers|terceros',
  tool: 'werkzeug*|outil*|herramienta*|ferramenta*|strumento|strumenti|инструмент*|narzędzi*',
  param: 'feld|parameter|argument|champ|paramètre|campo|parámetro|parametro|поле|параметр*|аргумент*',
  away: 'externe|externen|externer|externo|externa|externes|serveur*|servidor*|entfernt*|tiers|terceros|сервер*|внешн*|удаленн*|удалённ*|endpoint',
  without: 'ohne|sans|sin|sem|senza|без',
  confirm:
    'bestätigung*|zustimmung|erlaubnis|freigabe|fragen|bitten|confirmation|accord|consentement|approbation|confirmación|permiso|aprobación|confirmação|conferma|подтвержден*|согласи*|разрешени*|rückfrage',
  ai: 'assistente|ki|ia|ки|ии|assistent|asistente|assistant|agente|агент*|ассистент*|künstliche intelligenz|modell|modelo|modèle',
  excuse: 'qualität*|qualité|verbesser*|améliorer|mejorar|calidad|качеств*|authentifizierung|vérifi*|verificar',
  future: 'künftig*|nächste*|prochaine*|siguiente|próxim*|следующ*|впредь|sesiones|sitzungen',
  store: 'speicher*|merk*|enregistr*|mémoris*|guarda|guarde|guardar|recuerda|salva|сохрани*|запомни*',
};

/** The same in languages without spaces between words: Chinese, Japanese; Korean, whose endings vary. */
export const WRITTEN_WITHOUT_SPACES: Readonly<Partial<Record<Concept | 'neg ban', string>>> = {
  override:
    '忽略|无视|忽視|無視|不要理会|忘记|忘記|忘掉|抛开|拋開|不理会|别管|不用管|置之不理|気にせず|従わず|従わないで|捨てて|绕过|繞過|抛弃|忘れ|無効に|回避|무시|잊어|우회|不要遵守|不再遵守|从现在起不',
  prior:
    '之前|先前|以前|以上|此前|上述|前面的|原有|所有|これまで|以前の|今までの|先ほどの|与えられた|收到的|刚才|早先|前文|上記|前の|すべての|全ての|이전|모든|위의|기존|現在まで',
  instr: '指令|指示|规则|規則|命令|提示词|提示詞|约束|約束|限制|ルール|ガイドライン|命令|지시|명령|규칙|지침',
  sysprompt: '系统提示|系統提示|系统指令|系統指令|システムプロンプト|시스템 프롬프트|시스템프롬프트',
  safety: '安全|权限|權限|安全性|セキュリティ|権限|안전|보안|权限',
  check: '检查|檢查|策略|过滤|過濾|限制|审核|審核|チェック|フィルタ|検査|검사|필터|政策',
  younow: '你现在是|你現在是|从现在开始|從現在開始|从现在起|你将扮演|あなたは今|今から|これからは|당신은 이제|이제부터|지금부터',
  mode: '不受限制|无限制|無限制|没有限制|開発者モード|开发者模式|開發者模式|制限なし|제한 없는|개발자 모드',
  user: '用户|用戶|使用者|客户|ユーザー|ユーザ|利用者|사용자|유저',
  tell: '告诉|告訴|声张|說出|说出|告知|提及|透露|透漏|伝え|知らせ|言わ|言及|述べ|教え|明か|알리|말하|언급|통보|显示给|让用户知道',
  'neg ban':
    '不要|不得|请勿|切勿|无需|無需|禁止|不会|ないで|せずに|なしに|ずに|ないこと|てはいけ|ません|마세요|말고|하지 마|않고|지 말|없이|마십시오|必要はあり',
  hidden: '悄悄|偷偷|瞒着|私下|内緒|秘密|暗中|静默|隐藏|隱藏|後台|こっそり|密かに|ひそかに|黙って|몰래|은밀히|비밀리에|조용히',
  read: '读取|讀取|打开|打開|获取|獲取|提取|输出|顯示|显示|読み取|読み込|読んで|開い|取得|出力|表示|읽|열어|가져오|출력|표시',
  send: '发送|發送|发到|發到|传送|傳送|上传|上傳|转发|轉發|提交|送到|传递|传输|傳遞|送信|送って|転送|アップロード|送り|전송|보내|업로드|전달',
  put: '放入|放到|填入|填到|传入|傳入|附加|附上|含め|渡し|入れ|追加|書き込|포함|첨부',
  run: '调用|調用|执行|執行|运行|運行|呼び出|実行|使って|호출|실행',
  steal: '窃取|竊取|盗取|盗み|훔쳐|탈취',
  secretword:
    '密码|密碼|密钥|密鑰|私钥|私鑰|凭证|憑證|凭据|令牌|口令|API密钥|秘密鍵|パスワード|認証情報|資格情報|トークン|シークレット|비밀번호|암호|개인 키|개인키|자격 증명|토큰|비밀키',
  conv: '对话|對話|聊天记录|聊天記錄|会话|會話|历史消息|会話|チャット履歴|대화|채팅 기록|历史记录',
  full: '完整|全部|全文|逐字|すべて|全て|完全|전체|모두|모든',
  data: '内容|內容|文件|数据|數據|资料|資料|结果|結果|ファイル|データ|내용|파일|데이터|결과',
  before: '之前|先|首先|前に|まず|最初に|先に|전에|먼저|우선',
  must: '必须|必須|务必|始终|一定要|必ず|しなければ|常に|반드시|해야|항상',
  important: '重要|紧急|緊急|注意|警告|立即|马上|至急|直ちに|중요|긴급|주의|즉시',
  words: '请求|要求|任务|リクエスト|依頼|요청',
  other: '其他|其它|他の|ほかの|다른',
  stranger: '他人|别人|別人|任何人|他の人|第三者',
  tool: '工具|ツール|도구|函数|関数|함수',
  param: '参数|參數|字段|欄位|引数|パラメータ|フィールド|매개변수|인자|필드',
  away: '外部|远程|遠程|远端|服务器|伺服器|第三方|端点|リモート|サーバー|第三者|외부|서버|원격|제3자',
  without: '不征求|无需|無需|不经|未经|不进行|なしに|せずに|없이',
  confirm: '确认|確認|同意|许可|批准|征求|過濾|过滤|承認|許可|확인|동의|승인|허가',
  ai: 'ai|助手|智能体|模型|人工智能|助理|アシスタント|エージェント|モデル|어시스턴트|에이전트|인공지능',
  future: '下次|以后|今后|后续|次回|今後|다음|앞으로',
  store: '保存|记住|記住|存储|記憶|覚え|저장|기억',
};
