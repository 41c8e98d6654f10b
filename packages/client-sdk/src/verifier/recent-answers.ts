/** More tokens than a service sees at once, and few enough to hold: the oldest go first. */
const MOST = 10_000

interface Recent<T> {
  readonly answer: Promise<T | undefined>
  /** On the monotonic clock, from when the question was asked: an answer is as old as that. */
  readonly until: number
  /** Milliseconds since 1970. */
  readonly end: number
}

/** How long answers are kept. */
interface Keeping {
  /** Milliseconds for which an answer is kept. */
  readonly age: number
  /** When the key itself ends, in milliseconds since 1970. Without an end, no answer is kept. */
  readonly endOf: (key: string) => number | undefined
}

/**
 * Asks once in so many milliseconds for each key, and never answers from memory once the key has ended. Answers of
 * `undefined`, and failures, are not kept.
 */
export const recentAnswers = <T>(
  ask: (key: string) => Promise<T | undefined>,
  { age, endOf }: Keeping,
): ((key: string) => Promise<T | undefined>) => {
  const recent = new Map<string, Recent<T>>()
  return (key) => {
    const kept = recent.get(key)
    const now = performance.now()
    if (kept !== undefined && now < kept.until && Date.now() < kept.end) return kept.answer
    recent.delete(key)
    const answer = ask(key)
    const end = endOf(key)
    if (end === undefined) return answer
    const asked: Recent<T> = { answer, until: now + age, end }
    const forget = () => {
      if (recent.get(key) === asked) recent.delete(key)
    }
    recent.set(key, asked)
    const [oldest] = recent.size > MOST ? recent.keys() : []
    if (oldest !== undefined) recent.delete(oldest)
    answer.then((told) => {
      if (told === undefined) forget()
    }, forget)
    return answer
  }
}
