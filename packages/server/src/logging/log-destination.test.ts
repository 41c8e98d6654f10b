import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createLogDestination } from './log-destination.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-log-'))
  return () => rmSync(directory, { recursive: true })
})

/** The file stays open: a destination tries again until the process ends, and must not write to the next file of this number. */
const destinationTo = (fd: number) => createLogDestination(fd, (lines) => `lost ${lines}\n`)

const numbered = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`)

/** Opens a pipe, whose buffer has some kilobytes. Its writer waits for the reader, unless `flags` has `O_NONBLOCK`. */
const openPipe = (flags = 0) => {
  const path = join(directory, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return { reader, writer: openSync(path, constants.O_WRONLY | flags) }
}

/** A line as long as a quarter of the lines that may wait. */
const LONG = `${'x'.repeat(2 * 1024 * 1024 - 1)}\n`

describe('a log destination', () => {
  it('writes every line once and in order', async () => {
    const path = join(directory, 'log')
    const destination = destinationTo(openSync(path, 'w'))
    const lines = numbered(1, 1000)
    for (const line of lines) destination.write(line)
    await expect.poll(() => readFileSync(path, 'utf8')).toBe(lines.join(''))
  })

  it('writes the waiting lines when the process exits, and does not repeat the line that is being written', async () => {
    const path = join(directory, 'log')
    const destination = destinationTo(openSync(path, 'w'))
    for (const line of numbered(1, 2)) destination.write(line)
    destination.flush()
    await expect
      .poll(() =>
        readFileSync(path, 'utf8')
          .match(/line \d/g)
          ?.sort(),
      )
      .toEqual(['line 1', 'line 2'])
  })
})

describe.skipIf(process.platform === 'win32')('a log destination whose reader is slow', () => {
  it('drops lines if too many wait, and writes their number in their place', async () => {
    const { reader, writer } = openPipe()
    const destination = destinationTo(writer)
    for (let count = 0; count < 20; count += 1) destination.write(LONG)
    let text = ''
    const socket = new Socket({ fd: reader }).setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    onTestFinished(() => void socket.destroy())
    await expect.poll(() => text.length).toBe(4 * LONG.length)
    destination.write('after\n')
    await expect.poll(() => text.endsWith('after\n')).toBe(true)
    expect(text.slice(4 * LONG.length - 2)).toBe('x\nlost 16\nafter\n')
  })

  it('waits for the reader when the process exits, but for about a second only', () => {
    const { reader, writer } = openPipe(constants.O_NONBLOCK)
    onTestFinished(() => closeSync(reader))
    const destination = destinationTo(writer)
    for (let count = 0; count < 2; count += 1) destination.write(LONG)
    const startedAt = performance.now()
    destination.flush()
    const took = performance.now() - startedAt
    expect(took).toBeGreaterThan(900)
    expect(took).toBeLessThan(3000)
  })
})

describe.runIf(process.platform === 'linux')('a log destination on a full disk', () => {
  it('gives up immediately when the process exits', () => {
    const destination = destinationTo(openSync('/dev/full', 'w'))
    for (const line of numbered(1, 3)) destination.write(line)
    const startedAt = performance.now()
    destination.flush()
    expect(performance.now() - startedAt).toBeLessThan(900)
  })
})
