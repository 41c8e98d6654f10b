import { type Direction, type Display, type DisplayLine, directionOf } from './definition.ts'
import { isolated, readableText } from './readable.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

const isLine = (value: unknown): boolean => {
  const { label, value: text } = Object(value) as Partial<DisplayLine>
  return isText(label) && isText(text)
}

type Words = Omit<Display, 'direction'>

const isWords = (value: unknown): value is Words => {
  const { title, lines } = Object(value) as Partial<Words>
  return isText(title) && Array.isArray(lines) && lines.every(isLine)
}

/** The words for a person, in the language that was chosen. */
export interface ShownDisplay extends Display {
  /** The tag of the language (BCP 47), for the attribute `lang`. */
  readonly language: string
  readonly direction: Direction
}

/** Returns the language to show: the requested one, a shorter form of it (RFC 4647 §3.4), another form, English, or the first. */
export const chooseLanguage = (languages: readonly string[], asked = 'en'): string | undefined => {
  const sorted = [...languages].sort()
  const find = (matches: (language: string) => boolean): string | undefined =>
    sorted.find((language) => matches(language.toLowerCase()))
  const lookUp = (tag: string): string | undefined => {
    const subtags = tag.toLowerCase().split('-')
    for (let length = subtags.length; length > 0; length -= 1) {
      const range = subtags.slice(0, length).join('-')
      const found = find((language) => language === range)
      if (found !== undefined) return found
    }
    return find((language) => language.startsWith(`${subtags[0]}-`))
  }
  return lookUp(asked) ?? lookUp('en') ?? sorted[0]
}

/** Returns whether the isolates of a value are around the whole value and around parts of it, each with its end. */
const isIsolated = (parts: readonly string[]): boolean => {
  let depth = 0
  const ends = parts.flatMap((part, at) => {
    if (part === '\u2068') depth += 1
    if (part === '\u2069') depth -= 1
    return depth === 0 ? [at] : []
  })
  return parts[0] === '\u2068' && ends.length === 1 && ends[0] === parts.length - 1
}

/** Escapes the hidden characters between the isolates of a value. An honest service has escaped them already. */
const readableValue = (value: string): string => {
  const parts = value.split(/([\u2068\u2069])/).filter((part) => part !== '')
  if (isIsolated(parts)) return parts.map((part) => (part === '\u2068' || part === '\u2069' ? part : readableText(part))).join('')
  return value.startsWith('\u2068') && value.endsWith('\u2069') ? isolated(value.slice(1, -1)) : readableText(value)
}

/** Returns a signed display in one well-formed language. Hidden characters of a dishonest one become visible. */
export const signedDisplay = (display: unknown, language?: string): ShownDisplay | undefined => {
  const words = Object.entries(Object(display) as Record<string, unknown>).flatMap(([name, one]) =>
    isWords(one) ? [[name, one] as const] : [],
  )
  const chosen = chooseLanguage(
    words.map(([name]) => name),
    language,
  )
  const found = words.find(([name]) => name === chosen)?.[1]
  if (chosen === undefined || found === undefined) return undefined
  return {
    language: chosen,
    direction: directionOf(chosen),
    title: readableText(found.title),
    lines: found.lines.map(({ label, value, lead }) => ({
      label: readableText(label),
      value: readableValue(value),
      ...(lead === true && { lead }),
    })),
  }
}
