import { describe, expect, it } from 'vitest'
import { createClient } from '../create-client.ts'
import { memoryTokenStore } from '../session/token-store.ts'
import { CountersignError } from '../shared/errors/countersign-error.ts'

/** Creates a client of another server, which answers every request with 2xx. */
const withAnswer = (answer: () => Response) => {
  const store = memoryTokenStore()
  const client = createClient({ baseUrl: 'http://countersign.test', fetch: answer, store })
  return { client, store }
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no failure',
    (error: unknown) => error,
  )

const expectUnexpected = (failure: unknown) => {
  expect(failure).toBeInstanceOf(CountersignError)
  expect(failure).toMatchObject({ code: 'UNEXPECTED_ANSWER' })
}

const pair = {
  accessToken: 'a',
  refreshToken: 'r',
  accessTokenExpiresAt: '2026-01-05T09:15:00.000Z',
  refreshTokenExpiresAt: '2026-02-05T09:00:00.000Z',
}

const answers: readonly (readonly [string, () => Response])[] = [
  ['null', () => Response.json({ data: null })],
  ['a text', () => Response.json({ data: 'x' })],
  ['a number', () => Response.json({ data: 5 })],
  ['a list', () => Response.json({ data: [] })],
  ['no members', () => Response.json({ data: {} })],
  ['an access token alone', () => Response.json({ data: { accessToken: 'x' } })],
  ['tokens without a time', () => Response.json({ data: { ...pair, accessTokenExpiresAt: 'soon' } })],
  ['a token that no header carries', () => Response.json({ data: { ...pair, accessToken: 'a\nb' } })],
  ['no body', () => new Response(null, { status: 204 })],
]

describe('a login response of another server', () => {
  it.each(answers)('signs nobody in: %s', async (_, answer) => {
    const { client, store } = withAnswer(answer)
    const credential = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} } as const
    const response = { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' }
    for (const login of [
      client.auth.login({ email: 'a@example.com', password: 'x' }),
      client.mobile.finishLogin({ sessionId: 'x', signedChallenge: 'x' }),
      client.passkeys.finishLogin({ challengeId: 'x', credential: { ...credential, response } }),
    ]) {
      const failure = await failureOf(login)
      expectUnexpected(failure)
      expect(failure).toHaveProperty('status', answer().status)
    }
    expect(store.get()).toBeUndefined()
    expect(await client.accessToken()).toBeUndefined()
  })
})

describe('a challenge of another server', () => {
  it.each(answers)('is not signed: %s', async (_, answer) => {
    const { client } = withAnswer(answer)
    const signer = {
      deviceFingerprint: 'x',
      keyAlgorithm: 'ES256',
      publicKey: () => 'x',
      sign: () => Promise.reject(new Error('The person was asked')),
    } as const
    expectUnexpected(await failureOf(client.mobile.login({ signer })))
    expectUnexpected(await failureOf(client.devices.register({ signer, deviceName: 'x', deviceType: 'mobile' })))
  })
})

describe('a confirmation of another server', () => {
  it.each(answers)('is not settled: %s', async (_, answer) => {
    const { client } = withAnswer(answer)
    expectUnexpected(await failureOf(client.confirmations.settled('conf_1')))
  })

  it('is not settled in an unknown state', async () => {
    const { client } = withAnswer(() => Response.json({ data: { status: 'ok' } }))
    expectUnexpected(await failureOf(client.confirmations.settled('conf_1')))
  })
})

describe('any response', () => {
  it.each([null, 'x', 5])('is an object: %j is not a response of the service', async (data) => {
    const { client } = withAnswer(() => Response.json({ data }))
    expectUnexpected(await failureOf(client.devices.list()))
    expectUnexpected(await failureOf(client.passkeys.beginLogin({})))
    const payment = { actionType: 'payment_approval', actionPayload: { amount: 1, currency: 'EUR', recipient: 'x' } } as const
    expectUnexpected(await failureOf(client.confirmations.initiate(payment)))
  })
})

describe('a list of another server', () => {
  it.each(answers)('is not a page of projects: %s', async (_, answer) => {
    const { client } = withAnswer(answer)
    expectUnexpected(await failureOf(client.projects.list()))
    expectUnexpected(await failureOf(client.projects.list()[Symbol.asyncIterator]().next()))
  })

  it('is refused if its items cannot be projects', async () => {
    const { client } = withAnswer(() => Response.json({ data: [null], meta: { page: 1, totalPages: 1 } }))
    expectUnexpected(await failureOf(client.projects.list()))
  })
})

describe('a response without a body', () => {
  it('is accepted for the deletion of a project, and for no other call', async () => {
    const { client } = withAnswer(() => new Response(null, { status: 204 }))
    expect(await client.projects.remove({ uniqueCode: 'PRJ-1' })).toBeUndefined()
    expectUnexpected(await failureOf(client.devices.list()))
    expectUnexpected(await failureOf(client.auth.logout({ refreshToken: 'x' }, { token: 'x' })))
  })
})
