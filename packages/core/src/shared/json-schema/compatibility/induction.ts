import { type Assumptions, isCaseSplit } from './assumptions.ts'
import type { LocatedSchema } from './document.ts'

/**
 * Induction over the depth of values, so that schemas that refer to themselves can be compared. A proof about a value may use
 * the same statement about values inside that value: those are smaller, and every JSON value is finite.
 */
export interface Induction {
  /**
   * Runs `proof`, or returns `hypothesis` where the same statement is being proven about an enclosing value.
   *
   * @param level The depth of the value: 0 for the whole value, 1 for its members and items.
   */
  prove<T>(assumptions: Assumptions, goal: LocatedSchema, level: number, hypothesis: T, proof: () => T): T
}

export const createInduction = (): Induction => {
  const numbers = new Map<string, number>()
  const numberOf = ({ document, schema }: LocatedSchema): number => {
    const identity = document.identityOf(schema)
    const number = numbers.get(identity) ?? numbers.size
    numbers.set(identity, number)
    return number
  }
  const textOf = (acceptedBy: Assumptions['acceptedBy']): string =>
    acceptedBy
      .map((assumption) =>
        isCaseSplit(assumption)
          ? `(${assumption.cases.map((one) => `${textOf(one.acceptedBy)}-${textOf(one.refusedBy)}`).join('|')})`
          : String(numberOf(assumption)),
      )
      .sort()
      .join()

  /** The level of each statement that is being proven. */
  const levels = new Map<string, number>()
  return {
    prove: ({ kinds, acceptedBy, refusedBy }, goal, level, hypothesis, proof) => {
      const statement = `${[...kinds].sort().join()} ${textOf(acceptedBy)} - ${textOf(refusedBy)} > ${numberOf(goal)}`
      const outerLevel = levels.get(statement)
      if (outerLevel !== undefined && outerLevel < level) return hypothesis
      levels.set(statement, outerLevel ?? level)
      try {
        return proof()
      } finally {
        if (outerLevel === undefined) levels.delete(statement)
      }
    },
  }
}
