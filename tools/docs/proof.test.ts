import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { initiatePayment, signInWithDevice } from '../../packages/server/src/testing/sign-in.ts'
import { createTestApp } from '../../packages/server/src/testing/test-app.ts'
import { blocksOfTest } from './blocks-of-test.ts'

const [{ text: script }] = blocksOfTest(import.meta.filename)

const given = async () => {
  const test = createTestApp()
  const { token, deviceToken, device, signer, user } = await signInWithDevice(test)
  const { confirmationId, challenge } = await initiatePayment(test, token)
  const input = { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) }
  await test.ask('confirmations.verify', input, { token: deviceToken })
  const { receipt } = await test.ask('confirmations.receipt', { confirmationId }, { token })
  const { keys } = await test.ask('receipts.keys', {})
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-proof-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const run = (one: string, set: object = { keys }) => {
    writeFileSync(join(directory, 'verify-by-hand.mjs'), script)
    writeFileSync(join(directory, 'receipt.txt'), one)
    writeFileSync(join(directory, 'keys.json'), JSON.stringify(set))
    return spawnSync(process.execPath, ['verify-by-hand.mjs'], { cwd: directory, encoding: 'utf8' })
  }
  return { receipt, keys, run, email: user.email, confirmationId }
}

/** Changes one character of a part of the receipt. */
const changed = (text: string, at: number): string => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`

test('the script of the page verifies a real receipt', async () => {
  const { receipt, run, email, confirmationId } = await given()
  const { status, stdout, stderr } = run(receipt)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout.match(/^right: /gm)).toHaveLength(8)
  expect(stdout).toContain(`${email} approved {"actionPayload":{"amount":1250.5`)
  expect(stdout).toContain(confirmationId)
})

test('the script of the page refuses a changed receipt, and another or a revoked key', async () => {
  const { receipt, keys, run } = await given()
  const [jws = '', ...disclosures] = receipt.split('~')
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const parts = [
    [`${header}.${payload}.${changed(signature, 5)}`, ...disclosures],
    [jws, changed(disclosures[0] ?? '', 20), ...disclosures.slice(1)],
    [jws, disclosures[0] ?? '', changed(disclosures[1] ?? '', 20), ...disclosures.slice(2)],
  ]
  for (const part of parts) expect(run(part.join('~')).status).not.toBe(0)
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { confirmation: object }
  const later = { ...claims, confirmation: { ...claims.confirmation, approvedAt: '2020-01-01T00:00:00.000Z' } }
  const forged = `${header}.${Buffer.from(JSON.stringify(later)).toString('base64url')}.${signature}`
  expect(run([forged, ...disclosures].join('~')).stdout).toContain('WRONG: the issuer')
  const revoked = keys.map((key) => ({ ...key, revoked: { revoked_at: 1, reason: 'stolen' } }))
  expect(run(receipt, { keys: revoked }).stdout).toContain('WRONG: the issuer')
  expect(run(receipt, { keys: [] }).status).not.toBe(0)
})
