import { describe, expect, it } from 'vitest'
import { queueForNumbers } from './project-numbers.ts'

/** A counter for each year, whose statements take a while. */
const counter = () => {
  const last = new Map<number, number>()
  const taken: (readonly [year: number, count: number])[] = []
  let isBroken = false
  const take = async (year: number, count: number): Promise<number> => {
    taken.push([year, count])
    await new Promise(setImmediate)
    if (isBroken) throw new Error('out of order')
    last.set(year, (last.get(year) ?? 0) + count)
    return last.get(year) ?? 0
  }
  return {
    taken,
    next: queueForNumbers(take),
    breakDown: (broken: boolean) => {
      isBroken = broken
    },
  }
}

describe('the queue for project numbers', () => {
  it('gives each caller the next number, in the order of the calls', async () => {
    const { next } = counter()
    expect(await Promise.all([next(2026), next(2026), next(2026)])).toStrictEqual([1, 2, 3])
    expect(await next(2026)).toBe(4)
  })

  it('takes as many numbers as callers wait, in one statement', async () => {
    const { next, taken } = counter()
    await Promise.all(Array.from({ length: 50 }, () => next(2026)))
    expect(taken).toStrictEqual([
      [2026, 1],
      [2026, 49],
    ])
  })

  it('counts each year separately', async () => {
    const { next, taken } = counter()
    expect(await Promise.all([next(2026), next(2027), next(2026), next(2027)])).toStrictEqual([1, 1, 2, 2])
    expect(taken).toHaveLength(4)
  })

  it('rejects the callers of a failed statement, and serves later ones', async () => {
    const { next, breakDown } = counter()
    breakDown(true)
    const refused = await Promise.allSettled([next(2026), next(2026)])
    expect(refused.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected'])
    breakDown(false)
    expect(await Promise.all([next(2026), next(2026)])).toStrictEqual([1, 2])
  })
})
