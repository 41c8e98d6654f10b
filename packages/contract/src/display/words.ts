import type { ActionType } from '../vocabulary.ts'
import type { DisplayDefinition, LineDefinition, Translations } from './definition.ts'

/** The languages of the words that the product ships, the fallback first. */
export const shippedLanguages = ['en', 'de', 'fr', 'es', 'ar'] as const

const words = (en: string, de: string, fr: string, es: string, ar: string): Translations => ({ en, de, fr, es, ar })

const line = (label: Translations, pointer: string, format: 'text' | 'date' | 'list' = 'text'): LineDefinition => ({
  label,
  pointer,
  format,
})

const amount = words('Amount', 'Betrag', 'Montant', 'Importe', 'المبلغ')
const user = words('User', 'Benutzer', 'Utilisateur', 'Usuario', 'المستخدم')
const money: LineDefinition = { label: amount, pointer: '/amount', format: 'money', currency: '/currency' }
const device = line(words('Device', 'Gerät', 'Appareil', 'Dispositivo', 'الجهاز'), '/deviceName')
const deviceType = line(
  words('Kind of device', 'Art des Geräts', 'Type d’appareil', 'Tipo de dispositivo', 'نوع الجهاز'),
  '/deviceType',
)

/** The label of a currency that has a line of its own, because it is unknown or has no amount. */
export const currencyLabel = words('Currency', 'Währung', 'Devise', 'Moneda', 'العملة')

/** The label of the members that have no room on lines of their own. */
export const furtherLabel = words('Further values', 'Weitere Werte', 'Autres valeurs', 'Otros valores', 'قيم أخرى')

/** The words for the built-in action types: a title, and a line for each member that the type requires. */
export const builtInWords: Readonly<Record<ActionType, DisplayDefinition>> = {
  payment_approval: {
    title: words('Payment', 'Zahlung', 'Paiement', 'Pago', 'دفعة'),
    lines: [money, line(words('Recipient', 'Empfänger', 'Bénéficiaire', 'Beneficiario', 'المستفيد'), '/recipient', 'list')],
  },
  document_approval: {
    title: words(
      'Approval of a document',
      'Freigabe eines Dokuments',
      'Approbation d’un document',
      'Aprobación de un documento',
      'الموافقة على مستند',
    ),
    lines: [
      line(words('Document', 'Dokument', 'Document', 'Documento', 'المستند'), '/documentName'),
      line(
        words('Document id', 'Nummer des Dokuments', 'Numéro du document', 'Número de documento', 'رقم المستند'),
        '/documentId',
      ),
    ],
  },
  purchase_order: {
    title: words('Purchase order', 'Bestellung', 'Bon de commande', 'Orden de compra', 'أمر شراء'),
    lines: [
      money,
      line(words('Supplier', 'Lieferant', 'Fournisseur', 'Proveedor', 'المورّد'), '/supplier'),
      line(words('Item', 'Position', 'Article', 'Artículo', 'البند'), '/items', 'list'),
    ],
  },
  user_access: {
    title: words(
      'Access of a user',
      'Zugang eines Benutzers',
      'Accès d’un utilisateur',
      'Acceso de un usuario',
      'صلاحيات مستخدم',
    ),
    lines: [
      line(user, '/userId'),
      line(words('Permission', 'Berechtigung', 'Autorisation', 'Permiso', 'الصلاحية'), '/permissions', 'list'),
    ],
  },
  settings_change: {
    title: words(
      'Change of a setting',
      'Änderung einer Einstellung',
      'Modification d’un réglage',
      'Cambio de un ajuste',
      'تغيير إعداد',
    ),
    lines: [
      line(words('Setting', 'Einstellung', 'Réglage', 'Ajuste', 'الإعداد'), '/settingKey'),
      line(words('Old value', 'Alter Wert', 'Ancienne valeur', 'Valor anterior', 'القيمة السابقة'), '/oldValue', 'list'),
      line(words('New value', 'Neuer Wert', 'Nouvelle valeur', 'Valor nuevo', 'القيمة الجديدة'), '/newValue', 'list'),
    ],
  },
  password_change: {
    title: words(
      'Change of a password',
      'Änderung eines Passworts',
      'Modification d’un mot de passe',
      'Cambio de una contraseña',
      'تغيير كلمة مرور',
    ),
    lines: [line(user, '/userId')],
  },
  device_register: {
    title: words('New device', 'Neues Gerät', 'Nouvel appareil', 'Dispositivo nuevo', 'جهاز جديد'),
    lines: [device, deviceType],
  },
  sensitive_data_access: {
    title: words(
      'Access to sensitive data',
      'Zugriff auf vertrauliche Daten',
      'Accès à des données sensibles',
      'Acceso a datos confidenciales',
      'الوصول إلى بيانات حساسة',
    ),
    lines: [
      line(words('Data', 'Daten', 'Données', 'Datos', 'البيانات'), '/dataType'),
      line(words('Reason', 'Grund', 'Motif', 'Motivo', 'السبب'), '/reason'),
    ],
  },
}

const vouchingLines = [
  device,
  deviceType,
  line(words('Address', 'Adresse', 'Adresse', 'Dirección', 'العنوان'), '/requestedFrom/address'),
  line(words('Program', 'Programm', 'Programme', 'Programa', 'البرنامج'), '/requestedFrom/userAgent'),
  line(words('Time', 'Zeit', 'Heure', 'Hora', 'الوقت'), '/requestedFrom/at', 'date'),
  line(words('Id', 'Kennung', 'Identifiant', 'Identificador', 'المعرّف'), '/deviceId'),
  line(
    words('Fingerprint of the key', 'Fingerabdruck des Schlüssels', 'Empreinte de la clé', 'Huella de la clave', 'بصمة المفتاح'),
    '/keyThumbprint',
  ),
]

/** The words of a vouching: whether the person trusts a new device or passkey of the account. */
export const vouchingWords: Readonly<Record<'device' | 'passkey', DisplayDefinition>> = {
  device: {
    title: words(
      'Trust a new device',
      'Einem neuen Gerät vertrauen',
      'Faire confiance à un nouvel appareil',
      'Confiar en un dispositivo nuevo',
      'الوثوق بجهاز جديد',
    ),
    lines: vouchingLines,
  },
  passkey: {
    title: words(
      'Trust a new passkey',
      'Einem neuen Passkey vertrauen',
      'Faire confiance à une nouvelle clé d’accès',
      'Confiar en una llave de acceso nueva',
      'الوثوق بمفتاح مرور جديد',
    ),
    lines: vouchingLines,
  },
}

/** The labels of the lines that every action has: who asks, for whom, in which tenant, and how many must agree. */
export const askedLabels = {
  requester: words('Asked by', 'Angefragt von', 'Demandé par', 'Solicitado por', 'مقدّم الطلب'),
  onBehalfOf: words('On behalf of', 'Im Auftrag von', 'Pour le compte de', 'En nombre de', 'نيابةً عن'),
  tenant: words('Tenant', 'Mandant', 'Organisation', 'Organización', 'المؤسسة'),
  count: words(
    'Approvals needed',
    'Nötige Zustimmungen',
    'Approbations nécessaires',
    'Aprobaciones necesarias',
    'الموافقات المطلوبة',
  ),
}

/** The label of the person for whom a delegate votes. */
export const delegatedByLabel = words('You vote for', 'Sie stimmen für', 'Vous votez pour', 'Usted vota por', 'تصوّت نيابةً عن')

/** The labels of the members of a context that have a name of their own. Any other member is shown by its name. */
export const contextLabels: Readonly<Record<string, Translations>> = {
  agent: words('Agent', 'Agent', 'Agent', 'Agente', 'الوكيل'),
  tool: words('Tool', 'Werkzeug', 'Outil', 'Herramienta', 'الأداة'),
  run: words('Run', 'Lauf', 'Exécution', 'Ejecución', 'التشغيل'),
  reason: words('Reason given', 'Angegebener Grund', 'Motif indiqué', 'Motivo indicado', 'السبب المذكور'),
}
