import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { showBar } from './progress-bar.ts'

const goThrough = (isTTY: boolean, total: number) => {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, cursorTo: () => true, clearLine: () => true })
  const bar = showBar(total, stream, '{lines} lines', { lines: 0 })
  bar.update({ lines: 1000 })
  bar.setTotal(200)
  bar.update(100)
  bar.stop()
  return String(stream.read() ?? '')
}

test('a terminal shows a bar, and the facts next to it', () => {
  expect(goThrough(true, 400)).toMatch(/█+░+ 50% \| 1000 lines/)
})

test('nothing is shown without a terminal, or when the total is not known', () => {
  expect(goThrough(false, 400)).toBe('')
  expect(goThrough(true, 0)).toBe('')
})
