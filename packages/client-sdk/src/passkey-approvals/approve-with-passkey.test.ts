import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVirtualPasskey, testPassword } from '@countersign/core/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { verifyReceipt } from '../receipt/index.ts'
import { bundleClient } from '../testing/bundle-client.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import { approveWithPasskey, signWithPasskey } from './index.ts'

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
const textOf = (bytes: BufferSource) => Buffer.from(bytes as Uint8Array).toString('base64url')

/** An authenticator of the platform in `navigator.credentials`, and the options that it was asked with. */
const givenAuthenticator = (algorithm: 'ES256' | 'RS256') => {
  const passkey = createVirtualPasskey({ algorithm })
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

/** A user who signed in with a trusted passkey, without any device, and a payment that waits for the approval. */
const given = async (options: { readonly numberMatching?: boolean } = {}, algorithm: 'ES256' | 'RS256' = 'ES256') => {
  const here = await createTestClient({}, { options: { passkeyApprovals: true } })
  const { user } = await logInNewUser(here)
  const authenticator = givenAuthenticator(algorithm)
  const { credential } = await here.client.passkeys.create()
  const asking = here.another()
  await asking.auth.login({ email: user.email, password: testPassword })
  const action = { actionType: 'payment_approval', actionPayload: payment, ...options } as const
  const { matchNumber } = await asking.confirmations.request(action)
  await here.client.passkeys.login()
  const [waiting] = (await here.client.confirmations.pending()).confirmations
  if (waiting === undefined) throw new Error('a payment waits')
  authenticator.asked.length = 0
  return { ...here, ...authenticator, asking, user, credential, waiting, matchNumber }
}

it("the browser is asked for a trusted passkey with user verification, and for a challenge that differs from a login's", async () => {
  const { client, waiting, passkey, asked, sent } = await given()
  sent.length = 0
  expect(await approveWithPasskey(client, waiting)).toMatchObject({ status: 'approved' })
  const own = createHash('sha256').update('countersign.passkey-approval.v1\0').update(Buffer.from(waiting.challenge, 'base64'))
  expect(asked).toMatchObject([{ rpId: 'localhost', userVerification: 'required' }])
  expect(textOf(asked[0]?.challenge as BufferSource)).toBe(own.digest('base64url'))
  expect(asked[0]?.allowCredentials?.map(({ id }) => textOf(id))).toEqual([passkey.id])
  expect(sent.at(-1)).toBe(`POST /api/v1/auth/confirmation/${waiting.confirmationId}/verify`)
})

it.each(['ES256', 'RS256'] as const)(
  'the receipt of an approval with %s is genuine offline, also in Python',
  async (algorithm) => {
    const { client, waiting, user, credential } = await given({}, algorithm)
    await approveWithPasskey(client, waiting)
    const { receipt } = await client.confirmations.receipt({ confirmationId: waiting.confirmationId })
    const keys = await client.receipts.keys()
    expect(await verifyReceipt(receipt, { keys })).toMatchObject({
      verdict: 'genuine',
      registration: 'none for passkeys',
      device: { kind: 'passkey', id: credential.id, rpId: 'localhost', origin: 'http://localhost:4000', algorithm },
      statement: { subject: { id: user.id }, actionPayload: payment },
    })
    const folder = mkdtempSync(join(tmpdir(), 'receipt-'))
    const [file, set] = [join(folder, 'receipt.txt'), join(folder, 'keys.json')]
    writeFileSync(file, receipt)
    writeFileSync(set, JSON.stringify(keys))
    const cwd = join(import.meta.dirname, '../../../../docs/receipts')
    const python = (...args: readonly string[]) => spawnSync('python3', args, { cwd, encoding: 'utf8' })
    if (python('-c', 'import verify_receipt').status === 0) {
      expect(python('verify_receipt.py', file, set).stdout).toMatch(/^genuine\n/)
    }
    rmSync(folder, { recursive: true })
  },
)

it('the match number of the asking page is sent with the approval', async () => {
  const { client, waiting, matchNumber = '' } = await given({ numberMatching: true })
  await expect(approveWithPasskey(client, waiting)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await approveWithPasskey(client, waiting, { matchNumber })).toMatchObject({ status: 'approved' })
})

it('a signature is made without being sent, and can be sent again after a refusal, with another number', async () => {
  const { client, waiting, matchNumber = '', asked, sent } = await given({ numberMatching: true })
  sent.length = 0
  const signed = await signWithPasskey(client, waiting, { rpId: 'localhost' })
  expect(sent).toEqual(['GET /api/v1/auth/webauthn/credentials'])
  const wrong = matchNumber === '10' ? '11' : '10'
  await expect(client.confirmations.sendApproval({ ...signed, matchNumber: wrong })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  expect(await client.confirmations.sendApproval({ ...signed, matchNumber })).toMatchObject({ status: 'approved' })
  expect(asked).toHaveLength(1)
})

it('nothing is signed if the page shows another action than the challenge covers', async () => {
  const { client, waiting, asked } = await given()
  const shown = { ...waiting, actionPayload: { ...payment, amount: 1 } } as typeof waiting
  await expect(approveWithPasskey(client, shown)).rejects.toMatchObject({ code: 'CHALLENGE_MISMATCH' })
  expect(asked).toEqual([])
})

it('a user without a trusted passkey gets an error that says so, without a prompt', async () => {
  const { asking, waiting, asked, credential } = await given()
  await asking.passkeys.remove({ credentialId: credential.id })
  await expect(approveWithPasskey(asking, waiting)).rejects.toMatchObject({ code: 'NO_TRUSTED_PASSKEY' })
  expect(asked).toEqual([])
})

it('the entry needs no other package and nothing of Node', async () => {
  const { code, files } = await bundleClient(`export * from '@countersign/client-sdk/passkey-approvals'`)
  expect(files.filter((file) => !file.startsWith('packages/client-sdk/src/'))).toEqual([])
  expect(code).not.toMatch(/\b(?:import|require)\s*[("'{]|\bfrom\s*["']|node:|Buffer|process\b/)
})
