import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { showProgress } from './import-progress.ts'

const createStream = (isTTY: boolean) => {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, cursorTo: () => true, clearLine: () => true })
  const shown = () => String(stream.read() ?? '')
  return { stream, shown }
}

const goThrough = (isTTY: boolean, size: number) => {
  const { stream, shown } = createStream(isTTY)
  const progress = showProgress(size, stream)
  progress.lines(1000)
  progress.bytes(size / 2)
  progress.stop()
  return shown()
}

test('a terminal shows the progress of an import', () => {
  expect(goThrough(true, 200)).toMatch(/█+░+ 50% \| 1000 lines/)
})

test('nothing is shown without a terminal, or when the file size is unknown', () => {
  expect(goThrough(false, 200)).toBe('')
  expect(goThrough(true, 0)).toBe('')
})
