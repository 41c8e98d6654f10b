import type { Translations } from './definition.ts'
import { inLanguage, punctuation, yesOrNo } from './labels.ts'
import { memberLabels } from './member-labels.ts'
import { amountText, moneyText } from './money.ts'
import { isolated, isVisible, readableText, withLineBreaks } from './readable.ts'

/** `full` has a line for each item of a list and each member; `short` has one line for a list, and one for all further members. */
export type DisplayForm = 'full' | 'short'

export interface Style {
  readonly language: string
  readonly form: DisplayForm
  /** The currency of the payload, for the prices of its items. */
  readonly currency: unknown
}

export const ABSENT = '—'

type Members = Readonly<Record<string, unknown>>

export const isAbsent = (value: unknown): boolean => value === undefined || value === null

const isEmpty = (value: unknown): boolean =>
  isAbsent(value) || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

export const isGroup = (value: unknown): value is Members => !isEmpty(value) && typeof value === 'object' && !Array.isArray(value)

/** Returns whether a screen shows something of a text. A hidden character is shown as `\u{…}`. */
const isSeen = (text: string): boolean => isVisible(readableText(text))

/** Returns a text in quotes, so that nobody mistakes it for words of the product, of the operator, or for another value. */
const quoted = (text: string): string => JSON.stringify(withLineBreaks(text))

/** Numbers are written as in RFC 8785 §3.2.2.3. A text that shows nothing, such as a blank, is written in quotes. */
const plainText = (value: unknown, language: string): string => {
  if (typeof value === 'boolean') return inLanguage(yesOrNo[`${value}`], language)
  return typeof value === 'string' && !isSeen(value) ? quoted(value) : String(value)
}

const group = (text: string): string => text.match(/.{1,4}/g)?.join(' ') ?? text

/** Members that people compare character by character, and so in groups of four. */
const inGroups: Readonly<Record<string, (text: string) => string>> = {
  iban: (text) => (/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text) ? group(text) : text),
  documentHash: (text) => {
    const [, algorithm = '', hash] = /^((?:sha-?\d{1,3}[:-])?)([\w+/=-]{16,})$/i.exec(text) ?? []
    return hash === undefined ? text : `${algorithm}${group(hash)}`
  },
}

const scalarText = (value: unknown, language: string, name = ''): string => {
  const text = plainText(value, language)
  return typeof value === 'string' && Object.hasOwn(inGroups, name) ? (inGroups[name]?.(text) ?? text) : text
}

/** Returns the label of a name that the requester chose: one of the product's labels, or else the name in quotes. */
export const labelOf = (name: string, labels: Readonly<Record<string, Translations>>, language: string): string => {
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined
  return label === undefined ? readableText(quoted(name)) : inLanguage(label, language)
}

export const memberLabel = (name: string, language: string): string => labelOf(name, memberLabels, language)

/** Characters that end a value on a line of several values. A text with one of them is in quotes there. */
const SEPARATOR = /["·×,،;()]|:\s|^\s|\s$/

/** Returns one part of a line. The short form has no room for isolates around each part. */
const partOf = (text: string, { form }: Style): string => (form === 'full' ? isolated(text) : readableText(text))

const scalarPart = (value: unknown, style: Style, name?: string): string => {
  const text = scalarText(value, style.language, name)
  return partOf(typeof value === 'string' && isSeen(value) && SEPARATOR.test(text) ? quoted(text) : text, style)
}

const pairOf = (label: string, text: string, style: Style): string =>
  `${partOf(label, style)}${inLanguage(punctuation.colon, style.language)}${text}`

/** Returns a line of several parts between isolates. */
export const around = (parts: string): string => `\u2068${parts}\u2069`

/** Returns parts of one line: values with their labels. */
export const pairs = (parts: readonly (readonly [label: string, text: string])[], style: Style): string =>
  parts.map(([label, text]) => pairOf(label, text, style)).join(' · ')

/** Returns a value as one part of several: an object or a list is in parentheses. */
export const nested = (value: unknown, style: Style, name?: string): string =>
  typeof value === 'object' && !isEmpty(value) ? `(${partsOf(value, style)})` : partsOf(value, style, name)

export const partsOf = (value: unknown, style: Style, name?: string): string => {
  if (isEmpty(value)) return ABSENT
  if (Array.isArray(value)) return value.map((one) => nested(one, style)).join(inLanguage(punctuation.comma, style.language))
  if (!isGroup(value)) return scalarPart(value, style, name)
  return pairs(
    Object.entries(value).map(([one, member]) => [memberLabel(one, style.language), nested(member, style, one)]),
    style,
  )
}

const nameMembers = ['name', 'title', 'description', 'product', 'article', 'item']
const quantityMembers = ['quantity', 'qty', 'count']
const priceMembers = ['unitPrice', 'price']

const isName = (value: unknown): boolean => typeof value === 'string' && isVisible(value)
const isQuantity = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value))

/** Returns a price in the currency of its item, or without one in the currency of the payload, which the line of the amount has. */
const priceText = (item: Members, price: string, { language, currency }: Style): string =>
  (Object.hasOwn(item, 'currency')
    ? moneyText(item[price], item.currency, language)
    : amountText(item[price], currency, language)) ?? String(item[price])

/** Returns an item of an order as people write it, such as `10 × Screws M4 · 12.50`; `undefined` for an object without a name. */
const itemText = (item: Members, style: Style): string | undefined => {
  const find = (names: readonly string[], fits: (value: unknown) => boolean): string | undefined =>
    names.find((one) => Object.hasOwn(item, one) && fits(item[one]))
  const [name, quantity, price] = [find(nameMembers, isName), find(quantityMembers, isQuantity), find(priceMembers, isQuantity)]
  if (name === undefined) return undefined
  const inCurrency = price !== undefined && moneyText(item[price], item.currency, style.language) !== undefined
  const shown = new Set([name, quantity, price, ...(inCurrency ? ['currency'] : [])])
  const others = Object.entries(item).filter(([one]) => !shown.has(one))
  const named = scalarPart(item[name], style)
  return [
    quantity === undefined ? named : `${partOf(String(item[quantity]), style)} × ${named}`,
    ...(price === undefined ? [] : [partOf(priceText(item, price, style), style)]),
    ...(others.length === 0 ? [] : [partsOf(Object.fromEntries(others), style)]),
  ].join(' · ')
}

export const wholeText = (value: unknown, style: Style, name?: string): string => {
  if (isEmpty(value)) return ABSENT
  // Values of several parts are composed of readable parts, so that only the isolates around the line are added.
  return typeof value === 'object' ? around(partsOf(value, style)) : isolated(scalarText(value, style.language, name))
}

export const wholeItem = (item: unknown, style: Style): string => {
  const text = isGroup(item) ? itemText(item, style) : undefined
  return text === undefined ? wholeText(item, style) : around(text)
}
