import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { writeReport } from './write.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-report-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const aResult = (name: string, title: string): Result => ({
  kind: 'figures',
  name,
  title,
  about: '',
  measuredAt: '2026-01-01T00:00:00.000Z',
  machine: '',
  driver: '',
  figures: [],
})

const write = (...results: readonly Result[]) =>
  writeReport(directory, results, { versions: 'hono 4', order: ['first', 'second', 'third'] })
const headings = () => readFileSync(join(directory, 'benchmarks.md'), 'utf8').match(/^#.*$/gm)

describe('the report', () => {
  it('keeps what it has of other benchmarks, and shows them all in their order', () => {
    write(aResult('second', 'Second'), aResult('third', 'Third'))
    write(aResult('first', 'First'), aResult('second', 'Second, again'))
    expect(headings()).toStrictEqual(['# Benchmarks', '## What was to be held', '## First', '## Second, again', '## Third'])
  })

  it('leaves what is written by hand above the results as it is', () => {
    write(aResult('first', 'First'))
    const path = join(directory, 'benchmarks.md')
    writeFileSync(path, readFileSync(path, 'utf8').replace('# Benchmarks', '# Benchmarks\n\nBy hand.'))
    write(aResult('first', 'First'))
    expect(readFileSync(path, 'utf8')).toMatch(/^# Benchmarks\n\nBy hand\.\n\n<!-- /)
    expect(headings()).toStrictEqual(['# Benchmarks', '## What was to be held', '## First'])
  })
})
