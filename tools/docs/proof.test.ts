import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { approvePayment, signInWithDevice } from '../../packages/server/src/testing/sign-in.ts'
import { createTestApp } from '../../packages/server/src/testing/test-app.ts'
import { blocksOfTest } from './page.ts'

const [{ text: script }] = blocksOfTest(import.meta.filename)

test('the script of the page verifies a real receipt, and refuses a changed one and another key', async () => {
  const app = createTestApp()
  const user = await signInWithDevice(app)
  const confirmationId = await approvePayment(app, user)
  const { receipt } = await app.ask('confirmations.receipt', { confirmationId }, { token: user.token })
  const { keys } = await app.ask('receipts.keys', {})
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-proof-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const run = (one: string, set: object = { keys }) => {
    writeFileSync(join(directory, 'verify-by-hand.mjs'), script)
    writeFileSync(join(directory, 'receipt.txt'), one)
    writeFileSync(join(directory, 'keys.json'), JSON.stringify(set))
    return spawnSync(process.execPath, ['verify-by-hand.mjs'], { cwd: directory, encoding: 'utf8' })
  }
  const { stdout, stderr, status } = run(receipt)
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  expect(stdout.match(/^right: /gm)).toHaveLength(8)
  expect(stdout).toContain(`${user.user.email} approved {"actionPayload":{"amount":1250.5`)
  const [jws = '', ...disclosures] = receipt.split('~')
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const later = Buffer.from(payload, 'base64url')
    .toString()
    .replace(/"approvedAt":"\d/, '"approvedAt":"3')
  const forged = `${header}.${Buffer.from(later).toString('base64url')}.${signature}`
  expect(run([forged, ...disclosures].join('~')).stdout).toContain('WRONG: the issuer')
  expect(run(`${jws}~${disclosures.join('~').replace(/^..../, 'AAAA')}`).status).not.toBe(0)
  const revoked = keys.map((key) => ({ ...key, revoked: { revoked_at: 1, reason: 'stolen' } }))
  expect(run(receipt, { keys: revoked }).stdout).toContain('WRONG: the issuer')
  expect(run(receipt, { keys: [] }).status).not.toBe(0)
})
