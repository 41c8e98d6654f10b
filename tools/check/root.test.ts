import { describe, expect, it } from 'vitest'
import { checkRoot, rootProblems } from './root.ts'

describe('the check of the root', () => {
  it('names a note that somebody left at the root', () => {
    expect(rootProblems(['README.md', '00-NOTE.txt', 'docs/cli.md'])).toEqual([
      '00-NOTE.txt: unknown at the root; move or remove it, or list it in tools/check/root.ts',
    ])
  })

  it('names a new folder once, however many files it has', () => {
    expect(rootProblems(['scratch/a.ts', 'scratch/b/c.ts'])).toHaveLength(1)
  })

  it('finds nothing else at the root of the repository', async () => {
    expect(await checkRoot()).toEqual({ ok: true, output: '' })
  })
})
