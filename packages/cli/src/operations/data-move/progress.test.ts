import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { showMoveProgress } from './progress.ts'

const goThrough = (isTTY: boolean) => {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, cursorTo: () => true, clearLine: () => true })
  const progress = showMoveProgress(stream)
  progress.report({ phase: 'copy', table: 'projects', rows: 500, total: 2000 })
  progress.stop()
  return String(stream.read() ?? '')
}

test('a terminal shows the progress of a move', () => {
  expect(goThrough(true)).toMatch(/█+░+ 25% \| copying projects/)
})

test('nothing is shown without a terminal', () => {
  expect(goThrough(false)).toBe('')
})
