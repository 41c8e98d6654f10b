import type { PasskeyAlgorithm } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, expect, it, vi } from 'vitest'
import { signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import { verifyAssertion } from './verify-assertion.ts'

// Files before this one have loaded the module without the spy, and files after this one need it so.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())

// The real function, with a spy.
vi.mock('./verify-assertion.ts', { spy: true })

const forger = createVirtualPasskey()
const keyPair = createTestDevice('RS256').keyPair

/** Returns the algorithms of the checked keys, one for each listed id, after a forged signature. */
const checkedBy = async ({ countersign }: TestCountersign, email: string, answered?: string) => {
  const algorithms: (PasskeyAlgorithm | undefined)[] = []
  const { publicKey } = await countersign.passkeys.beginLogin({ email })
  for (const { id } of publicKey.allowCredentials) {
    const begun = await countersign.passkeys.beginLogin({ email: answered ?? email })
    const forged = forger.get(begun.publicKey, { userHandle: null })
    vi.mocked(verifyAssertion).mockClear()
    const credential = { ...forged, id, rawId: id }
    const login = countersign.passkeys.finishLogin({ challengeId: begun.challengeId, credential })
    await expect(login).rejects.toThrow('Invalid passkey')
    const { calls } = vi.mocked(verifyAssertion).mock
    expect(calls).toHaveLength(1)
    algorithms.push(calls[0]?.[3].algorithm)
  }
  return algorithms
}

it('a forged answer for a decoy is checked against a key whose algorithm is constant for the decoy', async () => {
  const test = await createTestCountersign()
  const { user } = await signInNewPasskeyUser(test, { virtual: createVirtualPasskey({ algorithm: 'RS256', keyPair }) })
  const emails = Array.from({ length: 60 }, (_, index) => `nobody-${index}@example.test`)
  const checked = async () => {
    const all: (PasskeyAlgorithm | undefined)[][] = []
    for (const email of emails) all.push(await checkedBy(test, email))
    return all
  }
  const all = await checked()
  expect(all.flat().filter((algorithm) => algorithm === -257).length).toBeGreaterThan(2)
  expect(all.flat().filter((algorithm) => algorithm === -7).length).toBeGreaterThan(5)
  expect(await checked()).toStrictEqual(all)
  expect(await checkedBy(test, user.email)).toStrictEqual([-257])
})

it('an unlisted credential id is checked against the same key, whether or not a user has the id', async () => {
  const test = await createTestCountersign()
  const rsa = createVirtualPasskey({ algorithm: 'RS256', keyPair })
  const { user } = await signInNewPasskeyUser(test, { virtual: rsa })
  const other = await signInNewPasskeyUser(test)
  for (const answered of [other.user.email, 'nobody@example.test']) {
    expect(await checkedBy(test, user.email, answered)).toStrictEqual([-7])
    for (const algorithm of await checkedBy(test, 'somebody@example.test', answered)) expect(algorithm).toBe(-7)
  }
})
