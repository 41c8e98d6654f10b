import { expect, it, onTestFinished } from 'vitest'
import { createTestCountersign } from '../../testing/create-test-countersign.ts'
import { signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'

it('creating and using passkeys causes no warning from Node, for every kind of key', async () => {
  const warnings: string[] = []
  const keep = (warning: Error): void => void warnings.push(warning.name)
  process.on('warning', keep)
  onTestFinished(() => void process.off('warning', keep))
  const test = createTestCountersign()
  const { virtual } = await signInNewPasskeyUser(test, { changes: { attestation: 'packed' } })
  await signInByPasskey(test, virtual)
  // ML-DSA-44, which is what Node would warn of.
  const experimental = { virtual: createVirtualPasskey(), changes: { coseKey: { 1: 7, 3: -48 } } }
  await expect(signInNewPasskeyUser(test, experimental)).rejects.toThrow('Invalid passkey')
  // Warnings are told of in a later turn.
  await new Promise(setImmediate)
  expect(warnings).toStrictEqual([])
})
