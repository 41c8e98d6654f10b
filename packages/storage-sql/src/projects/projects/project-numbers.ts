import type { Database } from '../../shared/database.ts'
import { inTurn } from '../../shared/in-turn.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'

const takeOne = preparedQuery((db, { year }: { readonly year: number }) =>
  db
    .insertInto('project_numbers')
    .values({ year, last: 1 })
    .onConflict((conflict) => conflict.column('year').doUpdateSet((the) => ({ last: the('project_numbers.last', '+', 1) })))
    .returning('last'),
)

/** Takes the next number of a year as a part of the transaction. Other transactions wait for this one's end. */
export const takeNumber = async (tx: Database, year: number): Promise<number> => {
  const taken = await takeOne.written(tx, { year })
  if (taken === undefined) throw new Error('No project number was returned')
  return Number(taken.last)
}

/** Returns the next project number of a year, a different one to each caller. */
export type NextNumber = (year: number) => Promise<number>

/**
 * Gives numbers to the callers of this process. Callers that wait at the same time share one statement, which takes exactly as many
 * numbers, so that none is left over. @param take Takes the next `count` numbers of a year, and returns the last.
 */
export const queueForNumbers = (take: (year: number, count: number) => Promise<number>): NextNumber => {
  const next = inTurn<undefined, number>(async (year, { length }) => {
    const last = await take(Number(year), length)
    return Array.from({ length }, (_, index) => last - length + 1 + index)
  })
  return (year) => next(String(year), undefined)
}
