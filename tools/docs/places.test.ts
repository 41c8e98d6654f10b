import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../workspace.ts'

const PARTS = ['identity', 'approvals', 'projects']

const linesOf = (page: string, heading: string): readonly string[] => {
  const [, section = ''] = readFileSync(join(repository, page), 'utf8').split(`\n## ${heading}\n`)
  return (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^(?:\d+\. |\| (?!You |--))/.test(line))
}

/** Returns each inline code that is a path, without its last slash. */
const placesIn = (line: string): readonly string[] =>
  [...line.matchAll(/`([\w.<>-]+(?:\/[\w.<>-]*)+)`/g)].map(([, place = '']) => place.replace(/\/$/, ''))

/** A place with `<part>` must exist in every part. `<noun>` and `<package>` match any name. */
const isThere = (place: string): boolean =>
  (place.includes('<part>') ? PARTS : ['']).every((part) => {
    const pattern = place.replaceAll('<part>', part).replaceAll(/<\w+>/g, '*')
    return globSync([pattern, `packages/${pattern}`], { cwd: repository }).length > 0
  })

test.each([
  ['CONTRIBUTING.md', 'Where does it go?'],
  ['CONTRIBUTING.md', 'Adding an endpoint'],
  ['docs/architecture.md', 'Where does what live?'],
  ['docs/architecture.md', 'How a change travels'],
  ['docs/glossary.md', 'Verbs'],
])('%s: each line of “%s” names a file or a folder, and each of them exists', (page, heading) => {
  const lines = linesOf(page, heading)
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.filter((line) => placesIn(line).length === 0)).toEqual([])
  expect(lines.flatMap(placesIn).filter((place) => !isThere(place))).toEqual([])
})
