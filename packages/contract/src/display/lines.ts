import type { DisplayLine } from './definition.ts'
import { pointerPath, valueAt } from './definition.ts'
import { changeLabels, currencyLabel, furtherLabel, inLanguage } from './labels.ts'
import { moneyText } from './money.ts'
import { isolated } from './readable.ts'
import {
  ABSENT,
  around,
  isAbsent,
  isGroup,
  memberLabel,
  nested,
  pairs,
  partsOf,
  type Style,
  wholeItem,
  wholeText,
} from './values.ts'
import type { ProductLine } from './words.ts'

export type Payload = Readonly<Record<string, unknown>>

/** A line before it has its place: among the first lines, in the middle, or as a part of the details at the end. */
export interface PlacedLine extends Omit<DisplayLine, 'lead'> {
  readonly place?: 'lead' | 'details' | undefined
}

type Place = PlacedLine['place']

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns whether a value is the number of a row, which says nothing to people. */
export const isRowNumber = (value: unknown): boolean => typeof value === 'string' && UUID.test(value)

/** A list on one line says how many items it has. */
const onOneLine = (label: string, value: unknown, style: Style): PlacedLine => {
  const isList = Array.isArray(value) && value.length > 1
  return { label: isList ? `${label} (${value.length})` : label, value: wholeText(value, style) }
}

interface Shown {
  readonly label: string
  readonly value: unknown
  /** The name of the member, if the requester chose it. */
  readonly name?: string
}

/** The members whose value is the name of the object around them. */
const isNameOfGroup = ([name, value]: readonly [string, unknown]): boolean =>
  (name === 'name' || name === 'title') && typeof value === 'string'

/** Returns the lines of one value: one for each item of a list, and one for each member of an object. */
const linesOfValue = ({ label, value, name }: Shown, style: Style): readonly PlacedLine[] => {
  if (style.form === 'short') return [onOneLine(label, value, style)]
  if (Array.isArray(value) && value.length > 0) return value.map((one) => ({ label, value: wholeItem(one, style) }))
  if (!isGroup(value)) {
    if (isDetail(value, name)) return [detail(label, value, style)]
    return [{ label, value: wholeText(value, style, name) }]
  }
  const members = Object.entries(value)
  const called = members.find(isNameOfGroup)
  return [
    ...(called === undefined ? [] : [{ label, value: wholeText(called[1], style) }]),
    ...members
      .filter((member) => member !== called)
      .flatMap(([one, member]) =>
        linesOfValue({ label: `${label} · ${memberLabel(one, style.language)}`, value: member, name: one }, style),
      ),
  ]
}

/** Returns whether a member that the requester chose is only for technicians. */
const isDetail = (value: unknown, name: string | undefined): boolean =>
  name !== undefined && (name === 'userAgent' || isRowNumber(value))

const detail = (label: string, value: unknown, style: Style): PlacedLine => ({
  label,
  value: partsOf(value, style),
  place: 'details',
})

const at = (place: Place, lines: readonly PlacedLine[]): readonly PlacedLine[] => lines.map((line) => ({ ...line, place }))

const moneyLines = (label: string, amount: unknown, currency: unknown, style: Style): readonly PlacedLine[] => {
  const money = moneyText(amount, currency, style.language)
  if (money !== undefined) return [{ label, value: isolated(money) }]
  const lines = linesOfValue({ label, value: amount }, style)
  // On one line, the amount `1` of the currency `000 EUR` would read as a thousand.
  return isAbsent(currency)
    ? lines
    : [...lines, ...linesOfValue({ label: inLanguage(currencyLabel, style.language), value: currency }, style)]
}

type Leaf = readonly [path: string, label: string, value: unknown]

/** Returns the members of an object, and in the full form those of the objects in it. */
const leavesOf = (value: Payload, style: Style, path: readonly string[] = [], before = ''): readonly Leaf[] =>
  Object.entries(value).flatMap(([name, member]) => {
    const label = `${before}${memberLabel(name, style.language)}`
    const here = [...path, name]
    const isOpen = style.form === 'full' && isGroup(member)
    return isOpen ? leavesOf(member, style, here, `${label} › `) : [[JSON.stringify(here), label, member] as const]
  })

/** Returns the lines of two objects: the members that differ, the new values before the old ones, and then the others. */
const linesOfChange = (next: Payload, old: Payload, style: Style): readonly PlacedLine[] => {
  const { language } = style
  const [newLeaves, oldLeaves] = [leavesOf(next, style), leavesOf(old, style)]
  const [newValues, oldValues] = [newLeaves, oldLeaves].map((leaves) => new Map(leaves.map(([path, , value]) => [path, value])))
  const labels = new Map([...newLeaves, ...oldLeaves].map(([path, label]) => [path, label]))
  const differs = (path: string): boolean => JSON.stringify(newValues?.get(path)) !== JSON.stringify(oldValues?.get(path))
  const lineOf = (label: keyof typeof changeLabels, which: boolean, values = newValues): readonly PlacedLine[] => {
    const members = [...labels].filter(([path]) => differs(path) === which)
    const parts = members.map(([path, name]) => [name, nested(values?.get(path), style)] as const)
    const value = around(pairs(parts, style))
    return parts.length === 0 ? [] : [{ label: inLanguage(changeLabels[label], language), value }]
  }
  return [...at('lead', lineOf('changedTo', true)), ...lineOf('changedFrom', true, oldValues), ...lineOf('unchanged', false)]
}

const changeLines = (next: unknown, old: unknown, style: Style): readonly PlacedLine[] => {
  if (isGroup(next) && isGroup(old)) return linesOfChange(next, old, style)
  const [newLabel, oldLabel] = [changeLabels.newValue, changeLabels.oldValue].map((label) => inLanguage(label, style.language))
  return [...at('lead', [onOneLine(newLabel ?? '', next, style)]), onOneLine(oldLabel ?? '', old, style)]
}

const placeOf = (line: Exclude<ProductLine, { format: 'change' }>, value: unknown): Place => {
  if (line.details === 'always' || (line.details === 'ifNumber' && isRowNumber(value))) return 'details'
  return line.lead === true ? 'lead' : undefined
}

/** Returns the lines that one line of a definition makes of a payload. */
export const linesOf = (line: ProductLine, payload: Payload, style: Style): readonly PlacedLine[] => {
  const value = valueAt(payload, line.pointer)
  if (line.format === 'change') return changeLines(value, valueAt(payload, line.oldPointer), style)
  const label = inLanguage(line.label, style.language)
  const place = placeOf(line, value)
  if (line.format === 'money') return at(place, moneyLines(label, value, valueAt(payload, line.currency), style))
  if (place === undefined) return linesOfValue({ label, value }, style)
  if (place === 'details') return [detail(label, value, style)]
  if (Array.isArray(value)) return at(place, [onOneLine(label, value, style)])
  const [first = { label, value: ABSENT }, ...others] = linesOfValue({ label, value }, style)
  return [{ ...first, place }, ...others]
}

const pointersOf = (line: ProductLine): readonly string[] => [
  line.pointer,
  ...(line.format === 'money' ? [line.currency] : line.format === 'change' ? [line.oldPointer] : []),
]

/** Returns the lines of the members that no line names. Only payloads of built-in types can have such members. */
export const furtherLines = (lines: readonly ProductLine[], payload: Payload, style: Style): readonly PlacedLine[] => {
  const named = new Set(lines.flatMap(pointersOf).map((pointer) => pointerPath(pointer)[0]))
  const further = Object.entries(payload).filter(([name]) => !named.has(name))
  const { language } = style
  if (style.form === 'short' && further.length > 0) {
    return [{ label: inLanguage(furtherLabel, language), value: wholeText(Object.fromEntries(further), style) }]
  }
  const members = new Map(further)
  const isMoney = moneyText(members.get('amount'), members.get('currency'), language) !== undefined
  return further.flatMap(([name, value]) => {
    const label = memberLabel(name, language)
    if (!isMoney || (name !== 'amount' && name !== 'currency')) return linesOfValue({ label, value, name }, style)
    return name === 'amount' ? moneyLines(label, value, members.get('currency'), style) : []
  })
}
