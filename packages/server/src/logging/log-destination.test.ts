import { describe, expect, it } from 'vitest'
import { createLogDestination, type LogFile } from './log-destination.ts'

const failure = (code: string): Error => Object.assign(new Error(code), { code })

/** A file that takes so many bytes at a time, or fails. Its tests say what befalls it. */
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

/** A quarter of what waits at most. */
const LONG = `${'x'.repeat(2 * 1024 * 1024 - 1)}\n`

describe('a log', () => {
  it('has every line once, in order, however little the file takes at a time', async () => {
    const { state, destination } = createFile()
    state.most = 5
    const lines = numbered(1, 20)
    for (const line of lines) destination.write(line)
    await expect.poll(() => state.text).toBe(lines.join(''))
  })

  it('writes together what came while it was writing', async () => {
    const { state, destination } = createFile()
    for (const line of numbered(1, 1000)) destination.write(line)
    await expect.poll(() => state.text.endsWith('line 1000\n')).toBe(true)
    expect(state.attempts).toBe(2)
  })

  it.each(['ENOSPC', 'EAGAIN', 'EPIPE', 'EIO'])('goes on, and skips nothing, after %s', async (code) => {
    const { state, destination } = createFile()
    state.error = failure(code)
    for (const line of numbered(1, 3)) destination.write(line)
    await expect.poll(() => state.attempts).toBeGreaterThan(1)
    destination.write('line 4\n')
    state.error = undefined
    await expect.poll(() => state.text).toBe(numbered(1, 4).join(''))
  })

  it('ends the line that a failure cut through', async () => {
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

  it('drops what is too much to wait, and tells where the gap is and how many lines are missing', async () => {
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

  it('is tried some times a second, not as often as lines come', async () => {
    const { state, destination } = createFile()
    state.error = failure('ENOSPC')
    const until = performance.now() + 500
    while (performance.now() < until) {
      destination.write('line\n')
      await new Promise(setImmediate)
    }
    expect(state.attempts).toBeGreaterThan(1)
    expect(state.attempts).toBeLessThan(8)
  })
})

describe('a log of a process that ends', () => {
  it('has what waited, and what was lost', async () => {
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

  it('is given up at once where it cannot be written, and within some seconds where nobody reads it', async () => {
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

  it('has no line twice that is being written as it ends', async () => {
    const { state, destination } = createFile()
    for (const line of numbered(1, 2)) destination.write(line)
    destination.flush()
    await expect.poll(() => state.text).toContain('line 1')
    expect(state.text.match(/line \d/g)?.sort()).toEqual(['line 1', 'line 2'])
  })
})
