import type { Milliseconds } from '../shared/time/units.ts'

/** The largest number of kept answers. A service rarely sees more tokens at a time. The oldest answers go first. */
const MOST = 10_000

interface Recent<T> {
  readonly answer: Promise<T | undefined>
  /** The end of the answer on the monotonic clock, counted from the start of the request. */
  readonly until: number
  /** The end of the key, in milliseconds since 1970. */
  readonly end: number
}

interface Keeping {
  /** The time for which an answer is kept. */
  readonly age: Milliseconds
  /** Returns the end of the key, in milliseconds since 1970. Answers for a key without an end are not kept. */
  readonly endOf: (key: string) => number | undefined
}

/** Asks at most once per key and period, and reuses no answer after the end of the key, no `undefined` and no error. */
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
    const entry: Recent<T> = { answer, until: now + age, end }
    const forget = () => {
      if (recent.get(key) === entry) recent.delete(key)
    }
    recent.set(key, entry)
    const [oldest] = recent.size > MOST ? recent.keys() : []
    if (oldest !== undefined) recent.delete(oldest)
    answer.then((result) => {
      if (result === undefined) forget()
    }, forget)
    return answer
  }
}
