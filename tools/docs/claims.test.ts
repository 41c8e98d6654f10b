import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../workspace.ts'

const page = join(repository, 'docs', 'security.md')
const claims = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => /^\| V\d+ /.test(line))

test.each(claims.map((claim): [string, string] => [claim.split('|')[1]?.trim() ?? '', claim]))(
  'the claim for %s names existing files with tests',
  (_chapter, claim) => {
    const files = [...claim.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      expect(file).toMatch(/\.test\.ts$/)
      expect(readFileSync(join(dirname(page), file), 'utf8')).toMatch(/\b(?:test|it|describeStorage)\b/)
    }
  },
)

test('every chapter of ASVS 5.0 that applies has a claim', () => {
  const chapters = claims.map((claim) => Number(/V(\d+)/.exec(claim)?.[1]))
  expect(chapters).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16])
})
