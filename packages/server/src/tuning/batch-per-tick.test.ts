import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { batchPerTick } from './batch-per-tick.ts'

describe('batching per tick', () => {
  const given = (also: (all: readonly string[]) => void = () => {}) => {
    const told: (readonly string[])[] = []
    const tell = batchPerTick((all: readonly string[]) => {
      told.push(all)
      also(all)
    })
    return { told, tell }
  }

  it('collects all inputs of one turn, in order', async () => {
    const { told, tell } = given()
    for (const one of ['a', 'b']) tell(one)
    await Promise.resolve()
    tell('c')
    expect(told).toEqual([])
    await setImmediate()
    expect(told).toEqual([['a', 'b', 'c']])
  })

  it('does not wait for later inputs', async () => {
    const { told, tell } = given()
    for (const one of ['a', 'b']) {
      tell(one)
      await setImmediate()
    }
    expect(told).toEqual([['a'], ['b']])
  })

  it('splits very large batches', async () => {
    const { told, tell } = given()
    for (let one = 0; one < 150; one += 1) tell(String(one))
    expect(told.map((all) => all.length)).toEqual([64, 64])
    await setImmediate()
    expect(told.map((all) => all.length)).toEqual([64, 64, 22])
    expect(told.flat()).toEqual(Array.from({ length: 150 }, (_, one) => String(one)))
  })

  it('leaves inputs that arrive meanwhile to the next turn', async () => {
    const { told, tell } = given((all) => {
      if (all.includes('a')) tell('b')
    })
    tell('a')
    await setImmediate()
    expect(told).toEqual([['a']])
    await setImmediate()
    expect(told).toEqual([['a'], ['b']])
  })
})
