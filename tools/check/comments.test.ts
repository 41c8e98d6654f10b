import { describe, expect, it } from 'vitest'
import { checkComments, longLines } from './comments.ts'

describe('the check of comments', () => {
  it('names a comment line of more than 132 characters, without counting the path', () => {
    const longest = `packages/core/src/config.ts:7:// ${'x'.repeat(129)}`
    expect(longLines(`${longest}\n${longest}x\n`)).toEqual([`${longest}x`])
  })

  it('finds no such line in the repository', async () => {
    expect(await checkComments()).toEqual({ ok: true, output: '' })
  })
})
