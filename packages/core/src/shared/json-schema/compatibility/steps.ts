import type { Located } from './document.ts'
import { isChoice, type Known } from './known.ts'

/** The comparison of two schemas has taken more steps than it may. */
export class TooManySteps extends Error {}

const MOST_STEPS = 10_000

/**
 * Counts the steps of a proof, and knows what is being proven, so that a schema that refers to itself can be compared: what
 * is claimed of a value may be taken as proven of the values within it (induction), and of those only.
 */
export interface Steps {
  /** @throws TooManySteps */
  take(): void
  /** Runs `work`, unless the same is being proven of a value further out: then the answer is `settled`. */
  claiming<T>(known: Known, goal: Located, level: number, settled: T, work: () => T): T
}

export const createSteps = (): Steps => {
  let left = MOST_STEPS
  const numbers = new Map<string, number>()
  const numberOf = ({ document, schema }: Located): number => {
    const identity = document.identityOf(schema)
    const number = numbers.get(identity) ?? numbers.size
    numbers.set(identity, number)
    return number
  }
  const list = (facts: Known['accepting']): string =>
    facts
      .map((fact) =>
        isChoice(fact)
          ? `(${fact.options.map(({ accepting, refusing }) => `${list(accepting)}-${list(refusing)}`).join('|')})`
          : String(numberOf(fact)),
      )
      .sort()
      .join()

  const levels = new Map<string, number>()
  return {
    take: () => {
      left -= 1
      if (left < 0) throw new TooManySteps('the schemas are too complex to compare')
    },
    claiming: (known, goal, level, settled, work) => {
      const claim = `${[...known.kinds].sort().join()} ${list(known.accepting)} - ${list(known.refusing)} > ${numberOf(goal)}`
      const claimedAt = levels.get(claim)
      if (claimedAt !== undefined && claimedAt < level) return settled
      levels.set(claim, claimedAt ?? level)
      try {
        return work()
      } finally {
        if (claimedAt === undefined) levels.delete(claim)
      }
    },
  }
}
