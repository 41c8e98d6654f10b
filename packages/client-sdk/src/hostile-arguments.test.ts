import { operations } from '@countersign/contract/operations'
import { describe, expect, it } from 'vitest'
import { type ClientOptions, createClient, methodNames } from './create-client.ts'
import { CountersignError } from './shared/errors/countersign-error.ts'
import { createDeviceClient } from './testing/device-client.ts'
import { createTestClient } from './testing/test-client.ts'
import { createTestSigner } from './testing/test-signer.ts'

type Method = (...args: readonly unknown[]) => unknown
type Methods = Readonly<Record<string, Readonly<Record<string, Method>>>>

/** Every method by name: methods of one operation and methods of several steps. */
const names = [
  ...Object.entries(operations).flatMap(([name, { authentication }]) =>
    authentication === 'service' || name === 'events.stream' ? [] : [methodNames[name as keyof typeof methodNames] ?? name],
  ),
  'devices.register',
  'mobile.login',
  'passkeys.create',
  'passkeys.login',
  'confirmations.request',
  'confirmations.settled',
  'confirmations.requestApproval',
  'confirmations.approve',
  'confirmations.reject',
  'approvalRequests.request',
  'approvalRequests.settled',
]

const circle: Record<string, unknown> = {}
circle.self = circle

const values = [
  null,
  undefined,
  0,
  7,
  Number.NaN,
  7n,
  '',
  'text',
  true,
  Symbol('s'),
  [],
  {},
  () => {},
  circle,
  Object.create(null),
]

const signer = createTestSigner()
const wrongSigners = [
  ...values,
  { ...signer, sign: undefined },
  { ...signer, sign: 'text' },
  { ...signer, publicKey: 'text' },
  { ...signer, publicKey: null },
  { ...signer, publicKey: () => 7 },
  { ...signer, publicKey: () => null },
  { ...signer, keyAlgorithm: 'HS256' },
  { ...signer, keyAlgorithm: 7n },
  { ...signer, deviceFingerprint: undefined },
  { ...signer, deviceFingerprint: circle },
]

/** Combines every value with every value, because the effect of one argument can depend on the other. */
const argumentLists: readonly (readonly unknown[])[] = [
  [],
  ...values.flatMap((value) => [[value], [{}, value], [value, value], [value, value, value], ['conf_1', undefined, value]]),
  ...values.map((value) => [{ signer: value }]),
  ...values.map((value) => [{}, { signal: value, timeout: 1000 }]),
  ...values.map((value) => [{}, { token: value, timeout: 1000 }]),
  ...values.map((value) => [{}, { timeout: value }]),
]

const show = (args: readonly unknown[]): string => args.map((one) => (typeof one === 'object' ? 'object' : String(one))).join()

/** Returns every rejection other than a CountersignError. A synchronous throw counts too. */
const strays = async (calls: readonly (readonly [string, () => unknown])[]): Promise<readonly string[]> => {
  const found: string[] = []
  for (const [what, call] of calls) {
    try {
      const answer = call()
      if (!(answer instanceof Promise)) found.push(`${what}: no promise`)
      await answer
    } catch (error) {
      if (!(error instanceof CountersignError)) found.push(`${what}: ${String(error)}`)
    }
  }
  return found
}

/** A service that refuses every request, so that every call ends immediately. */
const refusing = () =>
  createClient({
    baseUrl: 'https://auth.example.com',
    fetch: () => Response.json({ message: 'No', statusCode: 400 }, { status: 400 }),
  })

describe('a method with wrong arguments', () => {
  it.each(names)('rejects with a CountersignError: %s', async (name) => {
    const [group = '', method = ''] = name.split('.')
    const client = refusing() as unknown as Methods
    const calls = argumentLists.map((args) => [`${name}(${show(args)})`, () => client[group]?.[method]?.(...args)] as const)
    expect(await strays(calls)).toEqual([])
  })

  it('rejects with a CountersignError: accessToken', async () => {
    const client = refusing()
    const calls = values.flatMap((value) => [
      [`accessToken(${show([value])})`, () => client.accessToken(value as never)] as const,
      [`accessToken of a signal ${show([value])}`, () => client.accessToken({ signal: value as never })] as const,
    ])
    expect(await strays(calls)).toEqual([])
  })

  it('is refused by `on`, which calls no listener', () => {
    const client = refusing()
    for (const value of values) expect(client.on('signedOut', value as never)).toBeTypeOf('function')
  })
})

describe('a signer without the right functions', () => {
  it('is refused before any request, with an error that names the argument', async () => {
    const { client, sent } = await createTestClient()
    for (const wrong of [null, undefined, 7, {}, { ...signer, sign: 'text' }, { ...signer, publicKey: null }]) {
      const refused = { code: 'VALIDATION_ERROR', status: undefined, details: { signer: expect.stringContaining('sign') } }
      const registering = client.devices.register({ signer: wrong as never, deviceName: 'Phone', deviceType: 'mobile' })
      await expect(registering).rejects.toMatchObject(refused)
      await expect(client.mobile.login({ signer: wrong as never })).rejects.toMatchObject(refused)
    }
    expect(sent).toEqual([])
  })

  it('makes the call reject with a CountersignError, also with the real service', async () => {
    const given = await createDeviceClient()
    await given.client.confirmations.request({ actionType: 'password_change', actionPayload: { userId: 7 } })
    const { confirmations } = await given.phone.confirmations.pending()
    const [pending] = confirmations
    const device = { deviceName: 'Phone', deviceType: 'mobile' } as const
    const calls = wrongSigners.flatMap((wrong, index) => [
      [`register ${index}`, () => given.client.devices.register({ ...device, signer: wrong as never })] as const,
      [`login ${index}`, () => given.another().mobile.login({ signer: wrong as never })] as const,
      [`approve ${index}`, () => given.phone.confirmations.approve(pending as never, wrong as never)] as const,
    ])
    expect(await strays(calls)).toEqual([])
  })
})

describe('a confirmation without the right members', () => {
  it('is not signed', async () => {
    const { phone, client, signer: own } = await createDeviceClient()
    await client.confirmations.request({ actionType: 'password_change', actionPayload: { userId: 7 } })
    const { confirmations } = await phone.confirmations.pending()
    const [pending] = confirmations
    const wrong = [
      ...values,
      ...values.map((value) => ({ ...pending, nonce: value })),
      ...values.map((value) => ({ ...pending, challenge: value })),
      ...values.map((value) => ({ ...pending, actionPayload: value })),
      { ...pending, actionPayload: { amount: 1n } },
    ]
    const before = own.purposes.length
    const calls = wrong.map((one, index) => [`approve ${index}`, () => phone.confirmations.approve(one as never, own)] as const)
    expect(await strays(calls)).toEqual([])
    expect(own.purposes).toHaveLength(before)
  })
})

describe('a client with wrong options', () => {
  const baseUrl = 'https://auth.example.com'
  it.each<readonly [string, unknown]>([
    ['null', null],
    ['a number', 7],
    ['no URL', {}],
    ['a store that is null', { baseUrl, store: null }],
    ['a store without methods', { baseUrl, store: {} }],
    ['a fetch that is text', { baseUrl, fetch: 'fetch' }],
    ['a fetch that is null', { baseUrl, fetch: null }],
    ['a sha512 that is a number', { baseUrl, sha512: 7 }],
    ['a timeout that is null', { baseUrl, timeout: null }],
  ])('is refused with a CountersignError: %s', (_, options) => {
    expect(() => createClient(options as ClientOptions)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  })
})
