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
  it('keeps the results of other benchmarks, and shows all results in their order', () => {
    write(aResult('second', 'Second'), aResult('third', 'Third'))
    write(aResult('first', 'First'), aResult('second', 'Second, again'))
    expect(headings()).toStrictEqual(['# Benchmarks', '## Targets', '## First', '## Second, again', '## Third'])
  })

  it('keeps the text above the results unchanged', () => {
    write(aResult('first', 'First'))
    const path = join(directory, 'benchmarks.md')
    writeFileSync(path, readFileSync(path, 'utf8').replace('# Benchmarks', '# Benchmarks\n\nBy hand.'))
    write(aResult('first', 'First'))
    expect(readFileSync(path, 'utf8')).toMatch(/^# Benchmarks\n\nBy hand\.\n\n<!-- /)
    expect(headings()).toStrictEqual(['# Benchmarks', '## Targets', '## First'])
  })
})
