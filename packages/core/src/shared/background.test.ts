import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { nextTickBackground } from './background.ts'

it('background work starts after the code that asked for it', async () => {
  const order: string[] = []
  nextTickBackground.run(async () => {
    order.push('work')
  })
  order.push('answer')
  await Promise.resolve()
  expect(order).toStrictEqual(['answer'])
  await setImmediate()
  expect(order).toStrictEqual(['answer', 'work'])
})
