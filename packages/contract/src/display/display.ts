import { isolated } from './readable-text.ts'

/** The words on the screen of a device, in one language. */
export interface Display {
  readonly title: string
  readonly lines: readonly DisplayLine[]
}

export interface DisplayLine {
  readonly label: string
  readonly value: string
}

/** A text by language (BCP 47). */
export type Translations = Readonly<Record<string, string>>

/** One line of a display definition. */
export type LineDefinition =
  | { readonly label: Translations; readonly pointer: string; readonly format: 'text' | 'date' | 'list' }
  | { readonly label: Translations; readonly pointer: string; readonly format: 'money'; readonly currency: string }

/** What a device shows of an action of a registered type. Pointers are JSON pointers (RFC 6901) into the payload. */
export interface DisplayDefinition {
  readonly title: Translations
  readonly lines: readonly LineDefinition[]
}

/** The value of an absent member. */
export const ABSENT = '—'

/** Returns the names in a JSON pointer (RFC 6901 §3 and §4). */
export const pointerPath = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns the value at a JSON pointer; `undefined` if there is none. */
export const valueAt = (payload: unknown, pointer: string): unknown =>
  pointerPath(pointer).reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined,
    payload,
  )

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** Numbers are written as in RFC 8785 §3.2.2.3, which is the form of ECMAScript. */
const shown = (value: unknown): string => (isAbsent(value) ? ABSENT : isolated(String(value)))

const valuesOf = (line: LineDefinition, payload: unknown): readonly string[] => {
  const value = valueAt(payload, line.pointer)
  if (line.format === 'list') return Array.isArray(value) && value.length > 0 ? value.map(shown) : [ABSENT]
  if (line.format !== 'money') return [shown(value)]
  const parts = [value, valueAt(payload, line.currency)]
  if (parts.every(isAbsent)) return [ABSENT]
  // The line is the only one that shows the currency, so a currency without an amount is shown too.
  return [isolated(parts.map((part) => (isAbsent(part) ? ABSENT : String(part))).join(' '))]
}

/** Renders an action in every language of the definition. A list has one line for each item. */
export const renderDisplay = ({ title, lines }: DisplayDefinition, payload: unknown): Readonly<Record<string, Display>> =>
  Object.fromEntries(
    Object.entries(title).map(([language, text]) => [
      language,
      {
        title: text,
        lines: lines.flatMap((line) => valuesOf(line, payload).map((value) => ({ label: line.label[language] ?? '', value }))),
      },
    ]),
  )
