import { baseLanguage } from './definition.ts'

/** The currencies of ISO 4217 whose smallest unit is not a hundredth, by the digits of that unit. */
const otherDigits: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const hundredths =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP ' +
  'COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
  'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD ' +
  'PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD ' +
  'TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG'

const digitsOf: ReadonlyMap<string, number> = new Map(
  Object.entries({ ...otherDigits, 2: hundredths }).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
)

/** Returns the digits of a currency's smallest unit (ISO 4217, table A.1). The platform's own table changes; ours must not. */
export const currencyDigits = (currency: unknown): number | undefined =>
  typeof currency === 'string' && /^[A-Za-z]{3}$/.test(currency) ? digitsOf.get(currency.toUpperCase()) : undefined

/** The form of an amount that can be grouped without a change of its digits. */
const DECIMAL = /^(0|[1-9]\d{0,29})(?:\.(\d{1,30}))?$/

interface NumberForm {
  readonly group: string
  readonly decimal: string
  /** The least digits before the decimal mark for which groups are made. */
  readonly groupedFrom: number
}

/** The form of numbers in the shipped languages, in Latin digits (Unicode CLDR 48). Any other has a point and no groups. */
const forms: Readonly<Record<string, NumberForm>> = {
  en: { group: ',', decimal: '.', groupedFrom: 4 },
  de: { group: '.', decimal: ',', groupedFrom: 4 },
  fr: { group: '\u202f', decimal: ',', groupedFrom: 4 },
  es: { group: '.', decimal: ',', groupedFrom: 5 },
  ar: { group: ',', decimal: '.', groupedFrom: 4 },
}
const plain: NumberForm = { group: '', decimal: '.', groupedFrom: 4 }

interface Decimal {
  readonly whole: string
  readonly fraction: string
}

const decimalOf = (amount: unknown): Decimal | undefined => {
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined
  const [, whole, fraction = ''] = DECIMAL.exec(String(amount)) ?? []
  return whole === undefined ? undefined : { whole, fraction }
}

/**
 * Returns an amount of a known currency as a language writes it, without the currency: `1,250.00` in English. It has every digit,
 * because the signature covers every digit; zeros fill up the smallest unit. `undefined` for what is no plain decimal number.
 */
export const amountText = (amount: unknown, currency: unknown, language: string): string | undefined => {
  const digits = currencyDigits(currency)
  const decimal = decimalOf(amount)
  if (digits === undefined || decimal === undefined) return undefined
  const { group, decimal: mark, groupedFrom } = forms[baseLanguage(language)] ?? plain
  const { whole } = decimal
  const grouped = whole.length < groupedFrom ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, group)
  const fraction = decimal.fraction.padEnd(digits, '0')
  return `${grouped}${fraction === '' ? '' : `${mark}${fraction}`}`
}

/** Returns an amount with its currency, such as `1,250.00 EUR`; `undefined` as `amountText`. */
export const moneyText = (amount: unknown, currency: unknown, language: string): string | undefined => {
  const text = amountText(amount, currency, language)
  return text === undefined ? undefined : `${text} ${currency}`
}

/** Returns whether a currency can have this amount: `false` for three decimals of EUR, and for `1e21`. */
export const isPayable = (amount: unknown, currency: unknown): boolean => {
  const digits = currencyDigits(currency)
  const decimal = decimalOf(typeof amount === 'number' && amount < 0 ? -amount : amount)
  return digits === undefined || (decimal !== undefined && decimal.fraction.length <= digits)
}
