import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { runNode } from './run-command.ts'

it('a process that ends without reading its input causes no error', async () => {
  // More than a pipe holds, so that the rest is written after the process has ended.
  const stdin = 'x'.repeat(1_000_000)
  const ran = await runNode({ directory: tmpdir(), env: {} }, process.execPath, ['-e', 'process.exit(3)'], { stdin })
  expect(ran).toEqual({ code: 3, stdout: '', stderr: '' })
})
