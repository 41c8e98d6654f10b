import { recordingLogger } from '@countersign/core/testing'
import { expect, it } from 'vitest'
import { trackedBackground } from './background.ts'

it('background work begins after its caller has continued, and can be awaited', async () => {
  const background = trackedBackground(recordingLogger())
  const order: string[] = []
  background.run(async () => {
    order.push('first')
    background.run(async () => {
      order.push('what the first added')
    })
  })
  order.push('answer')
  await background.settled()
  expect(order).toEqual(['answer', 'first', 'what the first added'])
})

it('delayed background work starts at once when the server stops, also work that is added after that', async () => {
  const background = trackedBackground(recordingLogger())
  const order: string[] = []
  for (const name of ['first', 'second']) {
    background.run(async () => {
      order.push(name)
      background.run(async () => void order.push(`after ${name}`), 3_600_000)
    }, 3_600_000)
  }
  await background.settled()
  expect(order.sort()).toEqual(['after first', 'after second', 'first', 'second'])
})

it('failing background work is logged without its message, and later work still runs', async () => {
  const logger = recordingLogger()
  const background = trackedBackground(logger)
  background.run(() => Promise.reject(new Error('hunter2')))
  background.run(() => {
    throw new TypeError('hunter2')
  })
  await background.settled()
  expect(logger.entries.map(({ level, event }) => [level, event])).toEqual([
    ['error', 'background_failed'],
    ['error', 'background_failed'],
  ])
  expect(JSON.stringify(logger.entries)).not.toContain('hunter2')
})
