import { createVirtualPasskey } from '@countersign/core/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTestClient, logInNewUser } from '../../testing/test-client.ts'
import { createTestSigner } from '../../testing/test-signer.ts'

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
const textOf = (bytes: BufferSource) => Buffer.from(bytes as Uint8Array).toString('base64url')

/** Puts an authenticator of the platform into `navigator.credentials`. */
const givenAuthenticator = () => {
  const passkey = createVirtualPasskey()
  vi.stubGlobal('PublicKeyCredential', {})
  vi.stubGlobal('navigator', {
    credentials: {
      create: async ({ publicKey }: { publicKey: PublicKeyCredentialCreationOptions }) => {
        const options = {
          ...publicKey,
          challenge: textOf(publicKey.challenge),
          user: { ...publicKey.user, id: textOf(publicKey.user.id) },
        } as unknown as Parameters<typeof passkey.create>[0]
        const { id, response } = passkey.create(options)
        return {
          rawId: bytesOf(id),
          response: {
            clientDataJSON: bytesOf(response.clientDataJSON),
            attestationObject: bytesOf(response.attestationObject),
          },
          getClientExtensionResults: () => ({}),
        }
      },
    },
  })
}

/** Logs a user in, whose session is too old to be fresh, and a client of the trusted device of this user. */
const given = async () => {
  const here = await createTestClient()
  await logInNewUser(here)
  const signer = createTestSigner()
  await here.client.devices.register({ deviceName: "Ada's phone", deviceType: 'mobile', signer })
  here.test.clock.advance(11 * 60_000)
  const phone = here.another()
  await phone.mobile.login({ signer })
  givenAuthenticator()
  const approve = async (number: string | null | undefined) => {
    const matchNumber = number ?? expect.fail('no number was told')
    const [waiting] = (await phone.confirmations.pending()).confirmations
    if (waiting === undefined) throw new Error('a vouching waits')
    await phone.confirmations.approve(waiting, signer, { matchNumber })
    return waiting.actionPayload
  }
  return { ...here, phone, approve }
}

describe('creating a passkey', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('resolves with a vouching in an older session, and shows the chosen name on the trusted device', async () => {
    const { client, approve } = await given()
    const created = await client.passkeys.create({ name: 'Work laptop' })
    expect(created).toMatchObject({ trusted: false, credential: { name: 'Work laptop' } })
    expect(await approve(created.vouching?.matchNumber)).toMatchObject({ deviceName: 'Work laptop', deviceType: 'passkey' })
    expect(await created.vouching?.settled()).toMatchObject({ status: 'approved' })
    expect((await client.passkeys.list()).credentials).toMatchObject([{ name: 'Work laptop', trusted: true }])
  })

  it('resolves with a trusted passkey in a fresh session', async () => {
    const here = await createTestClient()
    await logInNewUser(here)
    givenAuthenticator()
    const created = await here.client.passkeys.create()
    expect(created.trusted).toBe(true)
    expect(created).not.toHaveProperty('vouching')
  })

  it('can be vouched for again, from the trusted device', async () => {
    const { client, phone, approve } = await given()
    const { credential } = await client.passkeys.create()
    expect(await phone.passkeys.vouch({ credentialId: credential.id })).toMatchObject({ matchNumber: null })
    await approve((await client.passkeys.vouching({ credentialId: credential.id })).matchNumber)
    expect((await client.passkeys.list()).credentials).toMatchObject([{ trusted: true }])
  })
})
