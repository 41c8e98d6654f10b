import { describe, expect, it } from 'vitest'
import type { Contender } from './contender.ts'
import { takeTurns } from './take-turns.ts'

const silently = (): void => {}
const turns = { rounds: 2, seconds: 1, warmUpSeconds: 1 }

/** Returns a contender that notes its turns and does this many operations in each. */
const contender = (name: string, turnsTaken: string[], operations = 1): Contender => ({
  name,
  pid: process.pid,
  round: async (seconds) => {
    turnsTaken.push(name)
    return { operations, seconds }
  },
})

describe('contenders that take turns', () => {
  it('warm up one after another, and then run side by side in each round', async () => {
    const taken: string[] = []
    const results = await takeTurns([contender('a', taken, 3), contender('b', taken, 5)], turns, silently)
    expect(taken).toStrictEqual(['a', 'b', 'a', 'b', 'a', 'b'])
    expect(results.map((rounds) => rounds.map(({ operations }) => operations))).toStrictEqual([
      [3, 3],
      [5, 5],
    ])
  })

  it('fail when a contender does no operation, because a rate of zero cannot be compared', async () => {
    const idle = takeTurns([contender('a', []), contender('idle', [], 0)], turns, silently)
    await expect(idle).rejects.toThrow('idle answered nothing in 1 s')
  })
})
