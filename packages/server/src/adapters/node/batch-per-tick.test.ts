import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { batchPerTick } from './handler.ts'

describe('batching per tick', () => {
  const given = (also: (all: readonly string[]) => void = () => {}) => {
    const batches: (readonly string[])[] = []
    const add = batchPerTick((all: readonly string[]) => {
      batches.push(all)
      also(all)
    })
    return { batches, add }
  }

  it('collects all inputs of one turn, in order', async () => {
    const { batches, add } = given()
    for (const one of ['a', 'b']) add(one)
    await Promise.resolve()
    add('c')
    expect(batches).toEqual([])
    await setImmediate()
    expect(batches).toEqual([['a', 'b', 'c']])
  })

  it('does not wait for later inputs', async () => {
    const { batches, add } = given()
    for (const one of ['a', 'b']) {
      add(one)
      await setImmediate()
    }
    expect(batches).toEqual([['a'], ['b']])
  })

  it('splits very large batches', async () => {
    const { batches, add } = given()
    for (let one = 0; one < 150; one += 1) add(String(one))
    expect(batches.map((all) => all.length)).toEqual([64, 64])
    await setImmediate()
    expect(batches.map((all) => all.length)).toEqual([64, 64, 22])
    expect(batches.flat()).toEqual(Array.from({ length: 150 }, (_, one) => String(one)))
  })

  it('leaves inputs that arrive meanwhile to the next turn', async () => {
    const { batches, add } = given((all) => {
      if (all.includes('a')) add('b')
    })
    add('a')
    await setImmediate()
    expect(batches).toEqual([['a']])
    await setImmediate()
    expect(batches).toEqual([['a'], ['b']])
  })
})
