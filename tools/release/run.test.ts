import { expect, it, vi } from 'vitest'
import { clientProgram } from './first-five-minutes.ts'
import { run } from './run.ts'

it('a release refuses an unknown option with its usage', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
  expect(await run(['--dry'])).toBe(2)
  expect(error).toHaveBeenCalledWith('Usage: npm run release -- [--dry-run]')
})

it('a release finds the program of the first five minutes in the README', () => {
  expect(clientProgram()).toContain('http://127.0.0.1:4000')
})
