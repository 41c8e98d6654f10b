import type { Display, DisplayLine } from './display.ts'
import { isolated, readableText } from './readable-text.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

const isLine = (value: unknown): boolean => {
  const { label, value: text } = Object(value) as Partial<DisplayLine>
  return isText(label) && isText(text)
}

const isDisplay = (value: unknown): value is Display => {
  const { title, lines } = Object(value) as Partial<Display>
  return isText(title) && Array.isArray(lines) && lines.every(isLine)
}

/**
 * Returns the language to show: the asked one, a shorter form of it (RFC 4647 §3.4), another form of it, English, or the first.
 */
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

/** Escapes the hidden characters between the isolates of a value. An honest service has escaped them already. */
const readableValue = (value: string): string =>
  value.startsWith('\u2068') && value.endsWith('\u2069') ? isolated(value.slice(1, -1)) : readableText(value)

/**
 * Returns a signed display in one language. An honest display is returned word by word; hidden characters in any other display
 * become visible. Returns `undefined` if no language has a well-formed display.
 */
export const signedDisplay = (display: unknown, language?: string): Display | undefined => {
  const displays = Object.entries(Object(display) as Record<string, unknown>).filter(([, one]) => isDisplay(one))
  const chosen = chooseLanguage(
    displays.map(([name]) => name),
    language,
  )
  const found = displays.find(([name]) => name === chosen)?.[1] as Display | undefined
  return (
    found && {
      title: readableText(found.title),
      lines: found.lines.map(({ label, value }) => ({ label: readableText(label), value: readableValue(value) })),
    }
  )
}
