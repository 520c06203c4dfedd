import { splitName } from '../../classify/split-name.ts';

/** Kinds of actions that somebody may ask for; each is a bit. */
export const ACTIONS = ['send', 'share', 'pay', 'book', 'delete', 'change', 'create', 'visit', 'run'] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * Verbs as they stand in a request, by action: English, German, French, Spanish, Portuguese, Italian, Polish, Russian, Japanese, Chinese. A
 * verb may ask for several.
 */
const VERBS: Readonly<Record<Action, string>> = {
  send:
    'send|forward|email|mail|reply|respond|message|notify|text|sms|dm|tell|inform|contact|call|dial|ping|cc|bcc|answer|deliver|relay|' +
    'sende|senden|schick|schicke|schicken|leite|weiterleiten|antworte|antworten|schreib|schreibe|schreiben|melde|melden|benachrichtige|benachrichtigen|ruf|rufe|anrufen|teile|mitteilen|' +
    'envoie|envoyez|envoyer|transférez|transférer|transfère|réponds|répondez|répondre|écris|écrivez|écrire|prévenez|prévenir|appelle|appelez|appeler|informez|' +
    'envía|envíe|enviar|envíen|reenvía|reenvíe|reenviar|responde|responda|responder|escribe|escriba|escribir|avisa|avise|avisar|notifica|notifique|llama|llame|llamar|manda|mande|mandar|' +
    'envie|encaminhe|encaminhar|escreva|escrever|ligue|ligar|mande|avise|wyślij|wysłać|prześlij|przekaż|odpowiedz|napisz|zadzwoń|powiadom|' +
    'invia|inviare|inoltra|rispondi|scrivi|chiama|отправь|отправьте|перешли|перешлите|ответь|ответьте|напиши|напишите|позвони|сообщи|' +
    '送信|送って|送付|転送|返信|連絡|通知|电邮|发送|发给|发到|转发|回复|邮件|联系|寄给|告诉',
  share:
    'share|invite|add|grant|assign|subscribe|enrol|enroll|teilen|freigeben|gib|einladen|lade|füge|hinzufügen|partage|partagez|partager|invitez|inviter|ajoute|ajoutez|ajouter|' +
    'comparte|comparta|compartir|invita|invitar|agrega|agregue|agregar|añade|añada|añadir|compartilhe|compartilhar|convide|convidar|adicione|adicionar|' +
    'udostępnij|zaproś|dodaj|condividi|aggiungi|поделись|пригласи|пригласите|добавь|добавьте|共有|招待|追加|分享|邀请|添加|共享|加入',
  pay:
    'pay|transfer|wire|remit|refund|buy|purchase|order|donate|charge|deposit|withdraw|zahle|zahlen|bezahle|bezahlen|überweise|überweisen|kaufe|kaufen|bestelle|bestellen|' +
    'paie|payez|payer|vire|virez|virer|réglez|régler|achète|achetez|acheter|commande|commandez|commander|paga|pague|pagar|transfiere|transfiera|transferir|compra|compre|comprar|pide|pida|pedir|' +
    'transfira|zapłać|zapłacić|przelej|kup|kupić|zamów|zamówić|acquista|bonifica|ordina|оплати|оплатите|переведи|переведите|купи|купите|закажи|' +
    '支払|払って|振込|振り込|購入|注文|购买|支付|转账|付款|下单|订购|汇款|充值',
  book:
    'book|reserve|schedule|reschedule|arrange|plan|buche|buchen|reserviere|reservieren|vereinbare|vereinbaren|plane|réserve|réservez|réserver|planifie|planifiez|planifier|' +
    'reservar|agenda|agende|agendar|programa|programar|zarezerwuj|umów|zaplanuj|prenota|забронируй|забронируйте|запиши|予約|手配|预订|预约|安排|订一',
  delete:
    'delete|remove|drop|erase|purge|wipe|cancel|revoke|uninstall|truncate|clear|unsubscribe|destroy|terminate|kill|archive|trash|' +
    'lösche|löschen|entferne|entfernen|storniere|stornieren|kündige|kündigen|supprime|supprimez|supprimer|annule|annulez|annuler|retire|retirez|retirer|' +
    'elimina|elimine|eliminar|borra|borre|borrar|cancela|cancele|cancelar|exclua|excluir|apague|apagar|remova|remover|usuń|usunąć|anuluj|skasuj|cancella|rimuovi|' +
    'удали|удалите|отмени|отмените|削除|消去|取消|キャンセル|删除|移除|清除|取消',
  change:
    'update|change|set|edit|modify|replace|rename|move|reset|enable|disable|turn|switch|unlock|lock|open|close|merge|approve|accept|reject|decline|confirm|mark|label|resolve|configure|' +
    'apply|restart|scale|deploy|push|commit|release|rollback|fix|ändere|ändern|aktualisiere|aktualisieren|setze|setzen|stelle|stellen|bestätige|bestätigen|genehmige|öffne|schließe|schalte|verschiebe|' +
    'modifie|modifiez|modifier|change|changez|changer|mets|mettez|mettre|active|désactive|confirme|confirmez|approuve|ouvre|ferme|cambia|cambie|cambiar|actualiza|actualice|actualizar|modifica|' +
    'confirma|confirmar|aprueba|abre|abrir|cierra|pon|altere|alterar|atualize|atualizar|mude|aprove|zmień|zaktualizuj|ustaw|potwierdź|zatwierdź|otwórz|aggiorna|imposta|conferma|sposta|' +
    'измени|измените|обнови|подтверди|открой|変更|更新|設定|承認|確認|修改|更改|设置|批准|确认|打开|关闭|更新',
  create:
    'create|make|write|save|store|append|insert|post|publish|upload|submit|log|record|note|comment|file|copy|register|generate|draft|attach|paste|include|fill|export|prepare|' +
    'erstelle|erstellen|anlegen|lege|speichere|speichern|veröffentliche|poste|hochladen|trage|eintragen|kommentiere|crée|créez|créer|enregistre|enregistrez|publie|publiez|publier|' +
    'téléverse|soumets|soumettez|commente|rédige|rédigez|crea|cree|crear|guarda|guarde|guardar|publica|publique|publicar|sube|suba|subir|anota|registra|registre|redacta|' +
    'crie|criar|salve|salvar|escreva|utwórz|zapisz|opublikuj|wstaw|przygotuj|salva|pubblica|carica|создай|сохрани|опубликуй|запиши|作成|保存|投稿|アップロード|登録|記録|书写|创建|保存|发布|上传|提交|记录|写一|整理',
  visit:
    'visit|open|browse|fetch|download|click|follow|load|access|navigate|besuche|besuchen|herunterladen|klicke|visite|visitez|ouvrez|télécharge|téléchargez|clique|cliquez|visita|abra|descarga|descargue|acesse|' +
    'baixe|odwiedź|pobierz|kliknij|apri|scarica|перейди|скачай|アクセス|開いて|ダウンロード|クリック|访问|下载|点击',
  run:
    'run|execute|launch|start|install|curl|wget|sudo|pip|npm|npx|bash|sh|chmod|git|docker|kubectl|invoke|trigger|build|führe|ausführen|starte|starten|installiere|installieren|' +
    'exécute|exécutez|exécuter|lance|lancez|lancer|installe|installez|ejecuta|ejecute|ejecutar|instala|instale|instalar|inicia|execute|rode|uruchom|wykonaj|zainstaluj|esegui|avvia|installa|' +
    'запусти|выполни|установи|実行|起動|インストール|运行|执行|安装|启动',
};

/** Words in the names of tools that tell an action beside the verbs above. */
const NOUNS: Readonly<Partial<Record<Action, string>>> = {
  send: 'emails mails messages reply replies sms chat tweet whatsapp telegram notification filter',
  share:
    'member members collaborator collaborators attendee attendees participant participants permission permissions access role guest',
  pay: 'payment payments transaction transactions transfer payout invoice checkout money bid refunds',
  book: 'booking reservation appointment meeting event events calendar',
  create: 'memory remember fact new upload',
  visit: 'url webpage goto page website http web',
  run: 'command shell terminal script exec code python sql query workflow pipeline job',
};

/** Matches how users ask for a message beside the verbs above; in a result, it asks an agent for nothing. */
const SENDS =
  /(?<!\p{L})(?:let [\p{L} ]{1,40} know|(?:ask|remind|thank|greet|frage?|sage?|erinnere|demande|dis|dites|rappelle|diles?|pregunta|pergunte|diga|chiedi|zapytaj|powiedz|спроси|скажи)(?! (?:me|us|mich|mir|uns|moi|nous|мне)(?!\p{L})))(?!\p{L})/u;

const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff]/;

interface Verbs {
  readonly words: ReadonlyMap<string, number>;
  readonly eastAsian: RegExp;
  readonly ofEastAsian: ReadonlyMap<string, number>;
  readonly nouns: ReadonlyMap<string, number>;
}

let known: Verbs | undefined;

/** Built at the first use: most processes read no request. */
function verbs(): Verbs {
  if (known !== undefined) return known;
  const words = new Map<string, number>();
  const ofEastAsian = new Map<string, number>();
  const nouns = new Map<string, number>();
  for (const [index, action] of ACTIONS.entries()) {
    const bit = 1 << index;
    for (const word of VERBS[action].split('|')) {
      const table = EAST_ASIAN.test(word) ? ofEastAsian : words;
      table.set(word, (table.get(word) ?? 0) | bit);
    }
    for (const word of NOUNS[action]?.split(' ') ?? []) nouns.set(word, (nouns.get(word) ?? 0) | bit);
  }
  const eastAsian = new RegExp([...ofEastAsian.keys()].join('|'), 'g');
  known = { words, eastAsian, ofEastAsian, nouns };
  return known;
}

/** The actions that a word asks for, as bits. @param word in lower case */
export function actionsOfWord(word: string): number {
  return verbs().words.get(word) ?? 0;
}

/** Words before a noun, which makes no request even if a verb has its form: `my email`, `the order`, `by phone`. */
const BEFORE_NOUN: ReadonlySet<string> = new Set(
  (
    'the a an my your his her its our their this that these those s latest last first next new unread recent every each all any no some which what of in on by from for via with per about is are ' +
    'der die das den dem ein eine einen meine mein meinen ihre le la les un une mon ma mes ce el los las una mi mis su o os as um uma meu minha il lo gli'
  ).split(' '),
);

/**
 * The actions that a text's verbs tell, as bits.
 *
 * @param text in lower case
 * @param isOfUser other forms of the verbs count as well, such as `sending`, and nouns do not
 */
export function actionsIn(text: string, isOfUser = false): number {
  const { words, eastAsian, ofEastAsian } = verbs();
  let found = 0;
  let before = '';
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    if (!isOfUser || !BEFORE_NOUN.has(before)) {
      found |= words.get(word) ?? 0;
      if (isOfUser && word.length > 4) {
        const stem = word.replace(/(?:ing|ed)$/, '');
        if (stem !== word) for (const base of [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')]) found |= words.get(base) ?? 0;
      }
    }
    before = word;
  }
  if (isOfUser && SENDS.test(text)) found |= 1 << ACTIONS.indexOf('send');
  if (EAST_ASIAN.test(text)) for (const [word] of text.matchAll(eastAsian)) found |= ofEastAsian.get(word) ?? 0;
  return found;
}

/** The actions that a tool's name tells, as bits. */
export function actionsOfTool(name: string): number {
  const { words, nouns } = verbs();
  let found = 0;
  for (const word of splitName(name)) found |= (words.get(word) ?? 0) | (nouns.get(word) ?? 0);
  return found;
}
