import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorBody, projectErrorBody } from '@countersign/contract'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { repository } from '../workspace.ts'
import { type Block, type Kind, kindOf, readDocuments } from './page.ts'
import { compareOutput } from './testing/compare-output.ts'
import { describePages, missing } from './testing/follow-page.ts'

const pages = readDocuments()
const blocks = pages.flatMap((page) => page.blocks)
const ofKind = (kind: Kind): readonly Block[] => blocks.filter((block) => kindOf(block) === kind)

// Explain each change of this list to the reviewer. The list should get shorter.
test('every block is run, except the listed blocks that give a reason', () => {
  const left = ofKind('not run')
  for (const block of blocks) if (missing(block)) console.log(`${block.at} is not run: this machine has no ${missing(block)}`)
  expect(left.filter(({ notRun = '' }) => notRun === '').map(({ at }) => at)).toEqual([])
  const pagesOf = Object.groupBy(left, ({ at }) => at.replace(/:\d+$/, ''))
  expect(Object.entries(pagesOf).map(([path, of = []]) => [path, ...of.map(({ language }) => language)].join(' '))).toEqual([
    'README.md sh mermaid sh sh',
    'docs/operations.md json json',
    'docs/operations/backups.md sh ini ini',
    'docs/operations/deploying.md sh sh sh sh sh sh sh sh',
    'docs/operations/monitoring.md haproxy nginx',
    'docs/operations/postgresql.md dotenv ini',
    'docs/push.md swift kotlin',
    'docs/verifying-tokens.md yaml yaml',
  ])
})

test('the test that a block names reads this block', () => {
  for (const { marks } of ofKind('tested')) {
    const file = join(repository, marks.get('by') ?? '')
    expect(file).toMatch(/\.test\.ts$/)
    expect(existsSync(file) && readFileSync(file, 'utf8')).toMatch(/blocksOfTest\(import\.meta\.filename\)|by=packages/)
  }
})

test('blocks of shells, JSON and YAML that no reader runs are well-formed', () => {
  const bodies = { errorBody, projectErrorBody } as const
  for (const { language, text, marks, at } of blocks) {
    if (language === 'sh') expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).stderr, at).toBe('')
    const errors = language === 'yaml' ? parseAllDocuments(text).flatMap((document) => document.errors) : []
    expect(errors, at).toEqual([])
    if (language === 'json') bodies[marks.get('body') as keyof typeof bodies]?.parse(JSON.parse(text))
  }
})

test.each([
  [true, 'text', 'Took … s (of 5)', 'Took 12.5 s (of 5)\r\n'],
  [true, 'json', '{ "b": [1, "…"], "a": "conf_…" }', '{"a":"conf_123","b":[1,{"x":2}]}'],
  [false, 'text', 'Took … s', 'Took 12 s, and more'],
  [false, 'json', '{ "a": 1 }', '{ "a": 1, "b": 2 }'],
  [false, 'json', '{ "a": 1, "b": "…" }', '{ "a": 1 }'],
  [false, 'json', '{ "a": "conf_…" }', '{ "a": "x" }'],
  [false, 'json', '[1]', '{ "0": 1 }'],
])("the check of a page's output answers %s: as %s, %s for the real output %s", (isShown, language, shown, given) => {
  const result = expect(() => compareOutput(shown, given, language))
  if (isShown) result.not.toThrow()
  else result.toThrow()
})

describePages(pages.filter(({ path }) => /^docs\/[^/]+$/.test(path)))
