import { expect, it, vi } from 'vitest'
import { inTurn } from './in-turn.ts'

it('calls with the same key that arrive during a call run together after it', async () => {
  const run = vi.fn(async (_: string, inputs: readonly number[]) => inputs.map((input) => input * 2))
  const call = inTurn(run)
  expect(await Promise.all([call('a', 1), call('a', 2), call('b', 3), call('a', 4)])).toStrictEqual([2, 4, 6, 8])
  expect(run.mock.calls).toStrictEqual([
    ['a', [1]],
    ['b', [3]],
    ['a', [2, 4]],
  ])
  expect(await call('a', 5)).toBe(10)
})

it('a failure rejects the calls that ran together, and no others', async () => {
  const call = inTurn(async (_, inputs: readonly number[]) => {
    if (inputs.includes(0)) throw new Error('zero')
    return inputs
  })
  const outcomes = await Promise.allSettled([call('a', 1), call('a', 0), call('a', 2)])
  expect(outcomes.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await call('a', 3)).toBe(3)
})
