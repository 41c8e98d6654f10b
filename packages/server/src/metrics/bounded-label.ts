/** The greatest number of different values of a label. Each value is a time series that Prometheus keeps. */
const MOST_VALUES = 100

/**
 * Returns a function that returns its text as long as few different texts were given, and `other` for every further text. So a
 * label never grows without bound.
 *
 * @param known Texts that are always returned.
 */
export const boundedLabel = (known: readonly string[] = [], most = MOST_VALUES): ((text: string) => string) => {
  const seen = new Set(known)
  return (text) => {
    if (seen.has(text)) return text
    if (seen.size >= most) return 'other'
    seen.add(text)
    return text
  }
}
