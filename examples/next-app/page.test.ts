import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blocksOfTest } from '../../tools/docs/page.ts'

it.each(blocksOfTest(import.meta.filename))('the block $at is a file of this app', ({ marks, text }) => {
  expect(text).toBe(readFileSync(join(import.meta.dirname, marks.get('title') ?? ''), 'utf8').trimEnd())
})
