import { describe, expect, it } from 'vitest'
import { createLogDestination, type LogFile } from './log-destination.ts'

const failure = (code: string): Error => Object.assign(new Error(code), { code })

/** A file that writes at most `most` bytes at a time, or fails with `error`. */
const createFile = () => {
  const state = { text: '', attempts: 0, most: Number.POSITIVE_INFINITY, error: undefined as Error | undefined }
  const writeSync = (bytes: Uint8Array): number => {
    state.attempts += 1
    if (state.error !== undefined) throw state.error
    const part = bytes.subarray(0, state.most)
    state.text += Buffer.from(part).toString()
    return part.length
  }
  const write: LogFile['write'] = (bytes, done) => {
    setImmediate(() => {
      try {
        done(null, writeSync(bytes))
      } catch (error) {
        done(error as Error, 0)
      }
    })
  }
  const destination = createLogDestination({ write, writeSync }, (lines) => `lost ${lines}\n`)
  return { state, destination }
}

const numbered = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`)

/** A line as long as a quarter of the lines that may wait. */
const LONG = `${'x'.repeat(2 * 1024 * 1024 - 1)}\n`

describe('a log destination', () => {
  it('writes every line once and in order, even if the file takes a few bytes at a time', async () => {
    const { state, destination } = createFile()
    state.most = 5
    const lines = numbered(1, 20)
    for (const line of lines) destination.write(line)
    await expect.poll(() => state.text).toBe(lines.join(''))
  })

  it('writes the lines that arrive during a write in one batch', async () => {
    const { state, destination } = createFile()
    for (const line of numbered(1, 1000)) destination.write(line)
    await expect.poll(() => state.text.endsWith('line 1000\n')).toBe(true)
    expect(state.attempts).toBe(2)
  })

  it.each(['ENOSPC', 'EAGAIN', 'EPIPE', 'EIO'])('writes again after %s, and skips no line', async (code) => {
    const { state, destination } = createFile()
    state.error = failure(code)
    for (const line of numbered(1, 3)) destination.write(line)
    await expect.poll(() => state.attempts).toBeGreaterThan(1)
    destination.write('line 4\n')
    state.error = undefined
    await expect.poll(() => state.text).toBe(numbered(1, 4).join(''))
  })

  it('completes a line that a failure interrupted', async () => {
    const { state, destination } = createFile()
    state.most = 3
    destination.write('line 1\n')
    await expect.poll(() => state.text).not.toBe('')
    state.error = failure('ENOSPC')
    destination.write('line 2\n')
    await expect.poll(() => state.attempts).toBeGreaterThan(3)
    state.error = undefined
    await expect.poll(() => state.text).toBe('line 1\nline 2\n')
  })

  it('drops lines when too many wait, and reports their number in their place', async () => {
    const { state, destination } = createFile()
    state.error = failure('ENOSPC')
    for (let count = 0; count < 20; count += 1) destination.write(LONG)
    await expect.poll(() => state.attempts).toBeGreaterThan(1)
    state.error = undefined
    await expect.poll(() => state.text.length).toBeGreaterThanOrEqual(5 * LONG.length)
    destination.write('after\n')
    await expect.poll(() => state.text.endsWith('after\n')).toBe(true)
    expect(state.text.length).toBe(5 * LONG.length + 'lost 15\nafter\n'.length)
    expect(state.text.endsWith('x\nlost 15\nafter\n')).toBe(true)
  })

  it('tries a failing file a few times a second, not once for each line', async () => {
    const { state, destination } = createFile()
    state.error = failure('ENOSPC')
    const begun = performance.now()
    let lines = 0
    while (state.attempts < 4) {
      destination.write('line\n')
      lines += 1
      await new Promise(setImmediate)
    }
    // Three pauses of 100 milliseconds each. A timer may fire a millisecond early.
    expect(performance.now() - begun).toBeGreaterThan(290)
    expect(lines).toBeGreaterThan(state.attempts)
  })
})

describe('a log destination in a process that exits', () => {
  it('writes the waiting lines, and the number of dropped lines', async () => {
    const { state, destination } = createFile()
    state.error = failure('EAGAIN')
    for (let count = 0; count < 6; count += 1) destination.write(LONG)
    await expect.poll(() => state.attempts).toBeGreaterThan(0)
    state.error = undefined
    state.most = 64 * 1024
    destination.flush()
    expect(state.text.length).toBe(5 * LONG.length + 'lost 1\n'.length)
    expect(state.text.endsWith('\nlost 1\n')).toBe(true)
  })

  it('gives up immediately if the disk is full, and within seconds if nobody reads the pipe', async () => {
    const { state, destination } = createFile()
    state.error = failure('ENOSPC')
    destination.write('line\n')
    await expect.poll(() => state.attempts).toBe(1)
    destination.flush()
    expect(state.attempts).toBe(2)

    const stuck = createFile()
    stuck.state.error = failure('EAGAIN')
    stuck.destination.write('line\n')
    await expect.poll(() => stuck.state.attempts).toBe(1)
    const startedAt = performance.now()
    stuck.destination.flush()
    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(stuck.state.attempts).toBeGreaterThan(2)
  })

  it('does not repeat a line that is being written', async () => {
    const { state, destination } = createFile()
    for (const line of numbered(1, 2)) destination.write(line)
    destination.flush()
    await expect.poll(() => state.text).toContain('line 1')
    expect(state.text.match(/line \d/g)?.sort()).toEqual(['line 1', 'line 2'])
  })
})
