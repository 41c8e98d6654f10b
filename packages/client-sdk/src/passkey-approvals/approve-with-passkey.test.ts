import { createHash } from 'node:crypto'
import { createVirtualPasskey } from '@countersign/core/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { bundleClient } from '../testing/bundle-client.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import { createTestSigner } from '../testing/test-signer.ts'
import { approveWithPasskey } from './index.ts'

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
const textOf = (bytes: BufferSource) => Buffer.from(bytes as Uint8Array).toString('base64url')

/** An authenticator of the platform in `navigator.credentials`, and the options that it was asked with. */
const givenAuthenticator = () => {
  const passkey = createVirtualPasskey()
  const asked: PublicKeyCredentialRequestOptions[] = []
  const asBrowser = (id: string, response: Readonly<Record<string, unknown>>) => ({
    rawId: bytesOf(id),
    response: Object.fromEntries(
      Object.entries(response).map(([name, value]) => [name, typeof value === 'string' ? bytesOf(value) : value]),
    ),
    getClientExtensionResults: () => ({}),
  })
  vi.stubGlobal('PublicKeyCredential', {})
  vi.stubGlobal('navigator', {
    credentials: {
      create: async ({ publicKey }: { publicKey: PublicKeyCredentialCreationOptions }) => {
        const { challenge, user } = publicKey
        const created = passkey.create({
          ...publicKey,
          challenge: textOf(challenge),
          user: { ...user, id: textOf(user.id) },
        } as unknown as Parameters<typeof passkey.create>[0])
        return asBrowser(created.id, { ...created.response, getTransports: undefined })
      },
      get: async ({ publicKey }: { publicKey: PublicKeyCredentialRequestOptions }) => {
        asked.push(publicKey)
        const { rpId = '' } = publicKey
        const options = { challenge: textOf(publicKey.challenge), rpId } as Parameters<typeof passkey.get>[0]
        const { id, response } = passkey.get(options)
        return asBrowser(id, response)
      },
    },
  })
  return { passkey, asked }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const payment = { amount: 1250.5, currency: 'EUR', recipient: 'Ada’s Workshop' }

/** A user with a trusted passkey, and a payment that waits for the approval. */
const given = async () => {
  const here = await createTestClient()
  await logInNewUser(here)
  const authenticator = givenAuthenticator()
  const signer = createTestSigner()
  await here.client.devices.register({ deviceName: 'Phone', deviceType: 'mobile', signer })
  await here.client.passkeys.create()
  const phone = here.another()
  await phone.mobile.login({ signer })
  await here.client.confirmations.request({ actionType: 'payment_approval', actionPayload: payment })
  const [waiting] = (await phone.confirmations.pending()).confirmations
  if (waiting === undefined) throw new Error('a payment waits')
  return { ...here, ...authenticator, waiting }
}

it('the browser is asked for a trusted passkey, which verifies its user and signs a challenge of its own', async () => {
  const { client, waiting, passkey, asked, sent } = await given()
  sent.length = 0
  await approveWithPasskey(client, waiting).catch(() => undefined)
  const own = createHash('sha256').update('countersign.passkey-approval.v1\0').update(Buffer.from(waiting.challenge, 'base64'))
  expect(asked).toMatchObject([{ rpId: 'localhost', userVerification: 'required' }])
  expect(textOf(asked[0]?.challenge as BufferSource)).toBe(own.digest('base64url'))
  expect(asked[0]?.allowCredentials?.map(({ id }) => textOf(id))).toEqual([passkey.id])
  expect(sent.at(-1)).toBe(`POST /api/v1/auth/confirmation/${waiting.confirmationId}/verify`)
})

it('nothing is signed if the page shows another action than the challenge covers', async () => {
  const { client, waiting, asked } = await given()
  const shown = { ...waiting, actionPayload: { ...payment, amount: 1 } } as typeof waiting
  await expect(approveWithPasskey(client, shown)).rejects.toMatchObject({ code: 'CHALLENGE_MISMATCH' })
  expect(asked).toEqual([])
})

it('a user without a trusted passkey is told so, without a prompt', async () => {
  const { client, waiting, asked } = await given()
  const { credentials } = await client.passkeys.list()
  for (const { id } of credentials) await client.passkeys.remove({ credentialId: id })
  await expect(approveWithPasskey(client, waiting)).rejects.toMatchObject({ code: 'NO_TRUSTED_PASSKEY' })
  expect(asked).toEqual([])
})

it('the entry needs no other package and nothing of Node', async () => {
  const { code, files } = await bundleClient(`export * from '@countersign/client-sdk/passkey-approvals'`)
  expect(files.filter((file) => !file.startsWith('packages/client-sdk/src/'))).toEqual([])
  expect(code).not.toMatch(/\b(?:import|require)\s*[("'{]|\bfrom\s*["']|node:|Buffer|process\b/)
})
