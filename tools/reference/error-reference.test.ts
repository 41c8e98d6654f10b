import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorDescriptions, projectServiceErrors } from '../../packages/contract/src/index.ts'
import { repository } from '../workspace.ts'
import { errorReference } from './error-reference.ts'

describe('the page docs/errors.md', () => {
  it('is current: npm run docs', () => {
    expect(readFileSync(join(repository, 'docs', 'errors.md'), 'utf8')).toBe(errorReference())
  })

  it.each([...Object.keys(errorDescriptions), ...Object.keys(projectServiceErrors)])(
    'has one entry in each list for %s',
    (code) => {
      const lists = [errorDescriptions, projectServiceErrors].filter((codes) => code in codes).length
      expect(errorReference().split(`\n- \`${code}\`, `).length - 1).toBe(lists)
    },
  )
})
