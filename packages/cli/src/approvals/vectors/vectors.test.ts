import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { workplaceOfFile } from '../../testing/workplace-of-file.ts'

const here = workplaceOfFile()

const check = (command: string, ...options: readonly string[]) => here.run(['vectors', 'check', '--command', command, ...options])

/** Writes a verifier that answers each line with the value of this expression. */
const verifier = (answer: string): string => {
  const path = join(here.directory, 'verifier.mjs')
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line)
  console.log(${answer})
}
`,
  )
  return `"${process.execPath}" "${path}"`
}

const python = fileURLToPath(new URL('../../../../../docs/receipts/verify_receipt.py', import.meta.url))
const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0

describe('a foreign verifier', () => {
  test.skipIf(!hasPython)('in Python, the one of the documents, passes', async () => {
    const { code, stdout } = await check(`python3 "${python}" --lines`, '--only', 'receipts')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^(\d+) of \1 cases as expected\n$/) })
  })

  test('that accepts everything fails: the command names each receipt that must be refused, and exits with 1', async () => {
    const { code, stdout } = await check(verifier(`JSON.stringify({ verdict: 'genuine' })`), '--only', 'receipts')
    expect(code).toBe(1)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toContain('receipts: the key of the issuer is revoked: genuine instead of refused at key')
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.some((line) => line.includes('genuine instead of genuine'))).toBe(false)
  })

  test('fails if it names the wrong step', async () => {
    const wrong = verifier(`JSON.stringify({ verdict: 'refused', step: 'format' })`)
    const { stdout } = await check(wrong, '--only', 'receipts')
    expect(stdout).toContain('receipts: the key of the issuer is revoked: refused at format instead of refused at key')
    expect(stdout).not.toContain('a critical extension')
  })

  test('does not receive the expected verdicts', async () => {
    const seen = verifier(`JSON.stringify({ verdict: Object.keys(given).sort().join() })`)
    const { stdout } = await check(seen)
    expect(stdout).toContain('keys,kind,receipt instead of')
    expect(stdout).toContain('confirmation,kind,userId instead of')
  })
})

describe('a command', () => {
  test.each([
    ['answers no JSON', `'yes'`, 'no JSON instead of genuine'],
    ['answers nothing', `''`, 'no JSON instead of genuine'],
  ])('that %s fails with a message that says so', async (_, answer, expected) => {
    expect((await check(verifier(answer))).stdout).toContain(expected)
  })

  test('that fails or does not exist is named, with the number of answers so far', async () => {
    for (const command of ['exit 3', 'countersign-no-such-verifier']) {
      const { code, stdout, stderr } = await check(command)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/error: the command ended with \d+ after 0 of \d+ answers\n$/)
    }
  })

  test('that ends early is reported with each case that has no answer', async () => {
    const { code, stdout } = await check('true')
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('no answer instead of refused at key') })
  })
})
