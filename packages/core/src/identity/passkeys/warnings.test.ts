import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it, onTestFinished } from 'vitest'
import { signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'

it('creating and using passkeys causes no warning from Node, for every kind of key', async () => {
  const warnings: string[] = []
  const keep = (warning: Error): void => void warnings.push(warning.name)
  process.on('warning', keep)
  onTestFinished(() => void process.off('warning', keep))
  const test = await createTestCountersign()
  const { virtual } = await signInNewPasskeyUser(test, { changes: { attestation: 'packed' } })
  await signInByPasskey(test, virtual)
  // ML-DSA-44, an algorithm that Node warns about.
  const experimental = { virtual: createVirtualPasskey(), changes: { coseKey: { 1: 7, 3: -48 } } }
  await expect(signInNewPasskeyUser(test, experimental)).rejects.toThrow('Invalid passkey')
  // Node emits warnings in a later turn of the event loop.
  await new Promise(setImmediate)
  expect(warnings).toStrictEqual([])
})
