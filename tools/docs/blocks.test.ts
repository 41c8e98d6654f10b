import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorBody, projectErrorBody } from '@countersign/contract'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { repository } from '../workspace.ts'
import { describePages, missing } from './follow-page.ts'
import { type Block, type Kind, kindOf, readDocuments } from './page.ts'

const pages = readDocuments()
const blocks = pages.flatMap((page) => page.blocks)
const ofKind = (kind: Kind): readonly Block[] => blocks.filter((block) => kindOf(block) === kind)

// Explain each change of this list to the reviewer. The list should get shorter.
test('every block is run, except the known blocks that give a reason', () => {
  const left = ofKind('not run')
  for (const block of blocks) if (missing(block)) console.log(`${block.at} is not run: this machine has no ${missing(block)}`)
  expect(left.filter(({ notRun = '' }) => notRun === '').map(({ at }) => at)).toEqual([])
  expect(left.map(({ at, language }) => `${at.replace(/:\d+$/, '')} ${language}`)).toEqual([
    'README.md sh',
    'README.md mermaid',
    'README.md sh',
    'README.md sh',
    'docs/operations.md json',
    'docs/operations.md json',
    'docs/operations/backups.md ini',
    'docs/operations/backups.md ini',
    ...Array(8).fill('docs/operations/deploying.md sh'),
    'docs/operations/monitoring.md haproxy',
    'docs/operations/monitoring.md nginx',
    'docs/operations/postgresql.md dotenv',
    'docs/operations/postgresql.md ini',
    'docs/push.md swift',
    'docs/push.md kotlin',
    'docs/verifying-tokens.md yaml',
    'docs/verifying-tokens.md yaml',
  ])
})

test('the test that a block names asks for this block', () => {
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

describePages(pages.filter(({ path }) => /^docs\/[^/]+$/.test(path)))
