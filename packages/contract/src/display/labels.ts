import { baseLanguage, type Translations } from './definition.ts'

/** The languages of the words that the product ships, the fallback first. */
export const shippedLanguages = ['en', 'de', 'fr', 'es', 'ar'] as const

export const words = (en: string, de: string, fr: string, es: string, ar: string): Translations => ({ en, de, fr, es, ar })

/** Returns the text in a language; in English if the words of the product have no such language. */
export const inLanguage = (texts: Translations, language: string): string =>
  texts[language] ?? texts[baseLanguage(language)] ?? texts.en ?? ''

export const amountLabel = words('Amount', 'Betrag', 'Montant', 'Importe', 'المبلغ')

/** The label of a currency that has a line of its own, because it is unknown or has no amount. */
export const currencyLabel = words('Currency', 'Währung', 'Devise', 'Moneda', 'العملة')

/** The label of the members that have no room on lines of their own. */
export const furtherLabel = words('Further values', 'Weitere Werte', 'Autres valeurs', 'Otros valores', 'قيم أخرى')

/** The label of the line with everything that only a technician reads, such as the number of a device. */
export const detailsLabel = words('Details', 'Einzelheiten', 'Détails', 'Detalles', 'التفاصيل')

export const yesOrNo = {
  true: words('yes', 'ja', 'oui', 'sí', 'نعم'),
  false: words('no', 'nein', 'non', 'no', 'لا'),
}

/** What stands between a label and its value on one line, and between the items of a list. */
export const punctuation = {
  colon: words(': ', ': ', '\u00a0: ', ': ', ': '),
  comma: words(', ', ', ', ', ', ', ', '، '),
}

/** The labels of a value that changes. Of two objects, the members that differ stand apart from the others. */
export const changeLabels = {
  newValue: words('New value', 'Neuer Wert', 'Nouvelle valeur', 'Valor nuevo', 'القيمة الجديدة'),
  oldValue: words('Old value', 'Alter Wert', 'Ancienne valeur', 'Valor anterior', 'القيمة السابقة'),
  changedTo: words(
    'Changes – new value',
    'Ändert sich – neuer Wert',
    'Change – nouvelle valeur',
    'Cambia – valor nuevo',
    'يتغيّر – القيمة الجديدة',
  ),
  changedFrom: words(
    'Changes – old value',
    'Ändert sich – alter Wert',
    'Change – ancienne valeur',
    'Cambia – valor anterior',
    'يتغيّر – القيمة السابقة',
  ),
  unchanged: words('Stays as it is', 'Bleibt gleich', 'Ne change pas', 'No cambia', 'لا يتغيّر'),
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
