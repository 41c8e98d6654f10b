const asPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const matchesText = (shown: string, given: string): boolean =>
  new RegExp(`^${shown.split('…').map(asPattern).join(String.raw`[\s\S]*?`)}$`).test(given)

const matchesValue = (shown: unknown, given: unknown): boolean => {
  if (shown === '…') return true
  if (typeof shown === 'string') return typeof given === 'string' && matchesText(shown, given)
  if (typeof shown !== 'object' || shown === null || typeof given !== 'object' || given === null) return shown === given
  const names = Object.keys(shown)
  const of = (value: object, name: string): unknown => (value as Record<string, unknown>)[name]
  return (
    Array.isArray(shown) === Array.isArray(given) &&
    names.length === Object.keys(given).length &&
    names.every((name) => name in given && matchesValue(of(shown, name), of(given, name)))
  )
}

/**
 * Returns whether a page shows the actual output. `…` stands for anything, as a whole JSON value or inside text. JSON may
 * have another layout, but must have the same fields. Lines of HTTP may end with CRLF.
 */
export const showsOutput = (shown: string, given: string, language: string): boolean =>
  language === 'json'
    ? matchesValue(JSON.parse(shown), JSON.parse(given))
    : matchesText(shown.trim(), given.replaceAll('\r', '').trim())
