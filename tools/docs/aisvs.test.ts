import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../workspace.ts'

const page = readFileSync(join(repository, 'docs', 'aisvs.md'), 'utf8')

/** A link to a test file, and the names of its tests that follow until the next link. */
const proofs = [...page.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\):((?:[^[\n]*?“[^”]+”)+)/g)].flatMap(([, file = '', names = '']) =>
  [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name })),
)

test('the page on AISVS has every line of C9.2 and C9.6.2', () => {
  const lines = [...page.matchAll(/^\| (9\.\d+\.\d+) \|/gm)].map(([, line]) => line)
  expect(lines).toEqual([...Array.from({ length: 10 }, (_, index) => `9.2.${index + 1}`), '9.6.2'])
})

test('the page on AISVS names a test for every line that it calls met, and each of them exists', () => {
  for (const [line = ''] of page.matchAll(/^\| 9\..*\*\*Met\b.*$/gm)) expect(line).toMatch(/\.test\.ts\): “/)
  expect(proofs.length).toBeGreaterThanOrEqual(15)
  const missing = proofs.filter(({ file, name }) => !readFileSync(join(repository, file), 'utf8').includes(`'${name}'`))
  expect(missing).toEqual([])
})
