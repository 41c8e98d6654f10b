import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProgram } from '../../packages/cli/src/program.ts'
import { repository } from '../workspace.ts'
import { cliReference } from './cli-reference.ts'

test('docs/cli.md is current: npm run docs', () => {
  expect(readFileSync(join(repository, 'docs', 'cli.md'), 'utf8')).toBe(cliReference(createProgram(process)))
})
