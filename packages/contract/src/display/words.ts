import type { ActionType } from '../vocabulary.ts'
import type { LineDefinition, Translations } from './definition.ts'
import { amountLabel, words } from './labels.ts'

/** A line of a definition, or of the product: `details` stand at the end, `ifNumber` for a row's number (a UUID) only. */
export type ProductLine =
  | (LineDefinition & { readonly details?: 'always' | 'ifNumber' })
  | { readonly format: 'change'; readonly pointer: string; readonly oldPointer: string }

/** The words for an action whose payload may have members that no line names. */
export interface ProductDefinition {
  readonly title: Translations
  readonly lines: readonly ProductLine[]
}

const line = (label: Translations, pointer: string, format: 'text' | 'date' = 'text') => ({ label, pointer, format }) as const
const lead = (label: Translations, pointer: string) => ({ ...line(label, pointer), lead: true }) as const
const details = (label: Translations, pointer: string, when: 'always' | 'ifNumber' = 'always') =>
  ({ ...line(label, pointer), details: when }) as const

const userLabel = words('User', 'Benutzer', 'Utilisateur', 'Usuario', 'المستخدم')
const user = { ...lead(userLabel, '/userId'), details: 'ifNumber' } as const
const money = { label: amountLabel, pointer: '/amount', format: 'money', currency: '/currency', lead: true } as const
const device = lead(words('Device', 'Gerät', 'Appareil', 'Dispositivo', 'الجهاز'), '/deviceName')
const deviceTypeLabel = words('Kind of device', 'Art des Geräts', 'Type d’appareil', 'Tipo de dispositivo', 'نوع الجهاز')

/** The words for the built-in action types: a title, and a line for each member that the type requires. */
export const builtInWords: Readonly<Record<ActionType, ProductDefinition>> = {
  payment_approval: {
    title: words('Payment', 'Zahlung', 'Paiement', 'Pago', 'دفعة'),
    lines: [money, lead(words('Recipient', 'Empfänger', 'Bénéficiaire', 'Beneficiario', 'المستفيد'), '/recipient')],
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
      lead(words('Document', 'Dokument', 'Document', 'Documento', 'المستند'), '/documentName'),
      details(
        words('Document id', 'Nummer des Dokuments', 'Numéro du document', 'Número de documento', 'رقم المستند'),
        '/documentId',
        'ifNumber',
      ),
    ],
  },
  purchase_order: {
    title: words('Purchase order', 'Bestellung', 'Bon de commande', 'Orden de compra', 'أمر شراء'),
    lines: [
      money,
      lead(words('Supplier', 'Lieferant', 'Fournisseur', 'Proveedor', 'المورّد'), '/supplier'),
      line(words('Item', 'Position', 'Article', 'Artículo', 'البند'), '/items'),
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
    lines: [lead(words('Permissions', 'Berechtigungen', 'Autorisations', 'Permisos', 'الصلاحيات'), '/permissions'), user],
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
      lead(words('Setting', 'Einstellung', 'Réglage', 'Ajuste', 'الإعداد'), '/settingKey'),
      { format: 'change', pointer: '/newValue', oldPointer: '/oldValue' },
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
    lines: [user],
  },
  device_register: {
    title: words('New device', 'Neues Gerät', 'Nouvel appareil', 'Dispositivo nuevo', 'جهاز جديد'),
    lines: [device, line(deviceTypeLabel, '/deviceType')],
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
      lead(words('Data', 'Daten', 'Données', 'Datos', 'البيانات'), '/dataType'),
      lead(words('Reason', 'Grund', 'Motif', 'Motivo', 'السبب'), '/reason'),
    ],
  },
}

const vouchingLines: readonly ProductLine[] = [
  device,
  lead(words('Address', 'Adresse', 'Adresse', 'Dirección', 'العنوان'), '/requestedFrom/address'),
  line(words('Time', 'Zeit', 'Heure', 'Hora', 'الوقت'), '/requestedFrom/at', 'date'),
  details(deviceTypeLabel, '/deviceType'),
  details(words('Program', 'Programm', 'Programme', 'Programa', 'البرنامج'), '/requestedFrom/userAgent'),
  details(words('Id', 'Kennung', 'Identifiant', 'Identificador', 'المعرّف'), '/deviceId'),
  details(
    words('Fingerprint of the key', 'Fingerabdruck des Schlüssels', 'Empreinte de la clé', 'Huella de la clave', 'بصمة المفتاح'),
    '/keyThumbprint',
  ),
]

/** The words of a vouching: whether the person trusts a new device or passkey of the account. */
export const vouchingWords: Readonly<Record<'device' | 'passkey', ProductDefinition>> = {
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
