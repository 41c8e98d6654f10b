/** More tokens than a service sees at once, and few enough to hold: the oldest go first. */
const MOST = 10_000

interface Recent<T> {
  readonly answer: Promise<T | undefined>
  /** On the monotonic clock, from when the question was asked: an answer is as old as that. */
  readonly until: number
}

/** Asks once in so many milliseconds for each key. Answers of `undefined`, and failures, are not kept. */
export const recentAnswers = <T>(
  ask: (key: string) => Promise<T | undefined>,
  milliseconds: number,
): ((key: string) => Promise<T | undefined>) => {
  const recent = new Map<string, Recent<T>>()
  return (key) => {
    const kept = recent.get(key)
    const now = performance.now()
    if (kept !== undefined && now < kept.until) return kept.answer
    const asked: Recent<T> = { answer: ask(key), until: now + milliseconds }
    const forget = () => {
      if (recent.get(key) === asked) recent.delete(key)
    }
    recent.delete(key)
    recent.set(key, asked)
    const [oldest] = recent.size > MOST ? recent.keys() : []
    if (oldest !== undefined) recent.delete(oldest)
    asked.answer.then((answer) => {
      if (answer === undefined) forget()
    }, forget)
    return asked.answer
  }
}
