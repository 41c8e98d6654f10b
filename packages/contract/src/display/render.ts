import type { ActionType } from '../vocabulary.ts'
import {
  baseLanguage,
  type Display,
  type DisplayDefinition,
  type DisplayLine,
  type Displays,
  directionOf,
  type LineDefinition,
  pointerPath,
  type Translations,
  valueAt,
} from './definition.ts'
import { moneyText } from './money.ts'
import { isolated, isVisible, readableText } from './readable.ts'
import { askedLabels, builtInWords, contextLabels, currencyLabel, delegatedByLabel, furtherLabel } from './words.ts'

type Payload = Readonly<Record<string, unknown>>

/** The facts about a request that a device shows in addition to the action. Absent members are not shown. */
export interface AskedWords {
  /** The name of the person or service that asks. */
  readonly requester: string
  readonly onBehalfOf: string | null
  readonly tenant: string | null
  readonly context: Readonly<Record<string, string>> | null
  /** The approvals that the action needs; absent for the confirmation of one person. */
  readonly count?: number
}

/** The value of an absent member. */
const ABSENT = '—'

/** Returns whether the contract defines the action type. No operator can register such a type. */
export const isBuiltInType = (actionType: string): actionType is ActionType => Object.hasOwn(builtInWords, actionType)

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/**
 * Numbers are written as in RFC 8785 §3.2.2.3, which is the form of ECMAScript. A text that shows nothing, such as a blank, is
 * written in quotes.
 */
const shown = (value: unknown): string => {
  if (isAbsent(value)) return ABSENT
  const isPlain = typeof value === 'string' ? isVisible(readableText(value)) : typeof value !== 'object'
  return isolated(isPlain ? String(value) : JSON.stringify(value))
}

const listed = (value: unknown): readonly string[] => {
  if (!Array.isArray(value)) return [shown(value)]
  return value.length > 0 ? value.map(shown) : [ABSENT]
}

/** Returns the label in a language; in English if the words of the product have no such language. */
const inLanguage = (label: Translations, language: string): string =>
  label[language] ?? label[baseLanguage(language)] ?? label.en ?? ''

const moneyLines = (label: string, amount: unknown, currency: unknown, language: string): readonly DisplayLine[] => {
  const money = moneyText(amount, currency, language)
  if (money !== undefined) return [{ label, value: isolated(money) }]
  const lines = [{ label, value: shown(amount) }]
  // On one line, the amount `1` of the currency `000 EUR` would read as a thousand.
  return isAbsent(currency) ? lines : [...lines, { label: inLanguage(currencyLabel, language), value: shown(currency) }]
}

const linesOf = (line: LineDefinition, payload: Payload, language: string, form: DisplayForm): readonly DisplayLine[] => {
  const label = inLanguage(line.label, language)
  const value = valueAt(payload, line.pointer)
  if (line.format === 'money') return moneyLines(label, value, valueAt(payload, line.currency), language)
  return (line.format === 'list' && form === 'full' ? listed(value) : [shown(value)]).map((one) => ({ label, value: one }))
}

const listPointers = (line: LineDefinition): readonly string[] =>
  line.format === 'money' ? [line.pointer, line.currency] : [line.pointer]

/**
 * Returns a name that the requester chose as a label: in quotes, so that nobody mistakes it for a label of the product or of the
 * operator, whatever it looks like.
 */
const nameOf = (name: string): string => readableText(JSON.stringify(name))

/** The lines of the members that the definition does not name. Only payloads of built-in types can have such members. */
const furtherLines = ({ lines }: DisplayDefinition, payload: Payload, form: DisplayForm): readonly DisplayLine[] => {
  const named = new Set(lines.flatMap(listPointers).map((pointer) => pointerPath(pointer)[0]))
  const further = Object.entries(payload).filter(([name]) => !named.has(name))
  if (form === 'short' && further.length > 0) {
    return [{ label: furtherLabel.en ?? '', value: shown(Object.fromEntries(further)) }]
  }
  return further.flatMap(([name, value]) => listed(value).map((one) => ({ label: nameOf(name), value: one })))
}

const askedLines = ({ requester, onBehalfOf, tenant, context, count }: AskedWords, language: string): readonly DisplayLine[] => {
  const values = { requester, onBehalfOf, tenant, count }
  const known = Object.entries(askedLabels).flatMap(([name, label]) => {
    const value = values[name as keyof typeof values]
    return isAbsent(value) ? [] : [{ label: inLanguage(label, language), value: shown(value) }]
  })
  const told = Object.entries(context ?? {}).map(([name, value]) => {
    const label = Object.hasOwn(contextLabels, name) ? contextLabels[name] : undefined
    return { label: label === undefined ? nameOf(name) : inLanguage(label, language), value: shown(value) }
  })
  return [...known, ...told]
}

const renderIn = (
  definition: DisplayDefinition,
  payload: Payload,
  further: readonly DisplayLine[],
  asked: AskedWords,
  { language, form }: { readonly language: string; readonly form: DisplayForm },
): Display => ({
  direction: directionOf(language),
  title: definition.title[language] ?? '',
  lines: [
    ...definition.lines.flatMap((line) => linesOf(line, payload, language, form)),
    ...further,
    ...askedLines(asked, language),
  ],
})

/** `full` has a line for each item of a list and each member; `short` has one line for a list, and one for all further members. */
export type DisplayForm = 'full' | 'short'

/**
 * Renders the words of an action in every language of the definition: the action, who asks and for whom, and how many must agree.
 * Every member of the payload is shown.
 */
export const renderDisplay = (
  definition: DisplayDefinition,
  payload: Payload,
  asked: AskedWords,
  form: DisplayForm = 'full',
): Displays => {
  const further = furtherLines(definition, payload, form)
  return Object.fromEntries(
    Object.keys(definition.title).map((language) => [
      language,
      renderIn(definition, payload, further, asked, { language, form }),
    ]),
  )
}

/** Returns the words of a vote by a delegate: the words of the request, and the name of the person for whom the delegate votes. */
export const withDelegator = (displays: Displays, name: string): Displays =>
  Object.fromEntries(
    Object.entries(displays).map(([language, { lines, ...words }]) => {
      const line = { label: inLanguage(delegatedByLabel, language), value: shown(name) }
      return [language, { ...words, lines: [...lines, line] }]
    }),
  )
