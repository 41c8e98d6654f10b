import { createHash, randomUUID } from 'node:crypto'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import canonicalize from 'canonicalize'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../identity/authentication/caller.ts'
import { minutes, toIsoTimestamp } from '../../shared/clock.ts'
import { FieldNotOpened } from '../../shared/crypto/field-encryption.ts'
import { Invalid } from '../../shared/errors.ts'
import { signInNewUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { TooManyPendingConfirmations } from './errors.ts'
import { confirmationFields } from './sealed-fields.ts'

let test: TestCountersign
let caller: Caller
let userName: string
beforeEach(async () => {
  test = await createTestCountersign()
  const signedIn = await signInNewUser(test)
  caller = signedIn.caller
  userName = signedIn.user.email
})

const initiate = (actionPayload: Record<string, unknown> = validPayloads.payment_approval, actionPayloadText?: string) =>
  test.countersign.confirmations.initiate({
    caller,
    actionType: 'payment_approval',
    actionPayload: actionPayload as typeof validPayloads.payment_approval,
    actionPayloadText,
  })
const textOf = async (confirmationId: string) =>
  (await test.countersign.confirmations.status({ caller, confirmationId })).actionPayloadText

const viewOf = (confirmationId: string) => test.countersign.confirmations.status({ caller, confirmationId })
const nonceOf = async (confirmationId: string) => (await viewOf(confirmationId)).nonce

describe('initiating a confirmation', () => {
  it('returns an id, a challenge and an expiry in five minutes, and nothing of the stored record', async () => {
    const confirmation = await initiate()
    expect(Object.keys(confirmation).sort()).toEqual(['challenge', 'expiresAt', 'id', 'matchNumber'])
    expect(confirmation.id).toMatch(/^conf_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(confirmation.challenge).toMatch(/^[A-Za-z0-9+/]{86}==$/)
    expect(confirmation.expiresAt).toBe(test.clock.now() + minutes(5))
    expect((await test.countersign.confirmations.status({ caller, confirmationId: confirmation.id })).status).toBe('pending')
  })

  it('returns a new id, nonce and challenge each time, also for the same action', async () => {
    const [one, other] = [await initiate(), await initiate()]
    expect(other.id).not.toBe(one.id)
    expect(await nonceOf(other.id)).not.toBe(await nonceOf(one.id))
    expect(other.challenge).not.toBe(one.challenge)
  })

  it('stores the payload encrypted', async () => {
    const { id } = await initiate({ ...validPayloads.payment_approval, recipient: 'canary-recipient' })
    const kept = JSON.stringify(await test.storage.confirmations.byId(id))
    expect(kept).not.toContain('canary')
    expect(kept).not.toContain(Buffer.from('canary').toString('base64url'))
  })
})

describe('the nonce of a confirmation', () => {
  it('is stored encrypted, bound to its row and column, so that a reader of the database cannot test guesses of the payload', async () => {
    const [one, other] = [await initiate(), await initiate()]
    const nonce = await nonceOf(one.id)
    const kept = await test.storage.confirmations.byId(one.id)
    for (const form of [
      nonce,
      Buffer.from(nonce, 'base64').toString('base64url'),
      Buffer.from(nonce, 'base64').toString('hex'),
    ]) {
      expect(JSON.stringify([one, kept])).not.toContain(form)
    }
    const sealed = kept?.nonce
    if (sealed === undefined) throw new Error('The confirmation is not stored')
    expect(confirmationFields.nonce.open(test, one.id, sealed)).toBe(nonce)
    expect(() => confirmationFields.nonce.open(test, other.id, sealed)).toThrow(FieldNotOpened)
    expect(() => confirmationFields.payload.open(test, one.id, sealed)).toThrow(FieldNotOpened)
  })
})

describe('the challenge of a confirmation', () => {
  it('is SHA-512 of the domain, a zero byte, the nonce and the canonical statement', async () => {
    const payload = { recipient: 'Zoë & Søn', currency: 'EUR', amount: 1e21, note: '\u20ac\n"', '10': [true, null], '9': 0.1 }
    const { id, challenge, expiresAt } = await initiate(payload)
    const { nonce, display } = await viewOf(id)
    const canonical =
      String.raw`{"actionPayload":{"10":[true,null],"9":0.1,"amount":1e+21,"currency":"EUR","note":"€\n\"","recipient":"Zoë & Søn"},` +
      `"actionType":"payment_approval","actionTypeVersion":null,"confirmationId":"${id}","context":null,` +
      `"createdAt":"${toIsoTimestamp(test.clock.now())}","display":${canonicalize(display)},"expiresAt":"${toIsoTimestamp(expiresAt)}",` +
      `"iss":"https://auth.example.com","onBehalfOf":null,"operation":null,` +
      `"requester":{"externalId":null,"id":${caller.userId},"kind":"user","name":"${userName}"},` +
      `"subject":{"externalId":null,"id":${caller.userId}},"tenant":null}`
    const expected = createHash('sha512')
      .update('countersign.confirmation.v1')
      .update(Buffer.of(0))
      .update(Buffer.from(nonce, 'base64'))
      .update(canonical)
      .digest('base64')
    expect(Buffer.from(nonce, 'base64')).toHaveLength(64)
    expect(challenge).toBe(expected)
  })

  it.each([
    [
      'the object beside the text is ignored',
      '{"recipient":"ACME","amount":1250.50,"currency":"EUR"}',
      '{"amount":1250.5,"currency":"EUR","recipient":"ACME"}',
    ],
    [
      'a member named __proto__ counts',
      '{"amount":10,"currency":"EUR","recipient":"ACME","__proto__":{"b":1}}',
      '{"__proto__":{"b":1},"amount":10,"currency":"EUR","recipient":"ACME"}',
    ],
  ])('covers the text that was received: %s', async (_, received, canonical) => {
    const { id, challenge } = await initiate(validPayloads.payment_approval, received)
    const { nonce, statementText: statement } = await viewOf(id)
    expect(statement).toContain(`"actionPayload":${canonical},"actionType":"payment_approval"`)
    const bytes = Buffer.concat([
      Buffer.from('countersign.confirmation.v1\0'),
      Buffer.from(nonce, 'base64'),
      Buffer.from(statement),
    ])
    expect(challenge).toBe(createHash('sha512').update(bytes).digest('base64'))
  })
})

describe('the payload of a confirmation', () => {
  it.each([
    ['the order of members', '{"recipient":"ACME","amount":10,"currency":"EUR"}'],
    ['the order of members with integer names', '{"10":1,"2":2,"amount":10,"1":3,"currency":"EUR","recipient":"ACME"}'],
    ['the spelling of numbers', '{"amount":10.00,"currency":"EUR","recipient":"ACME","rate":1.0e-7,"big":12345678901234567000}'],
    ['white space and escapes', '{ "amount" : 10,\n"currency":"EUR", "recipient":"\\u0041CME\\/" }'],
  ])('is returned byte for byte as it was received: %s', async (_, text) => {
    const { id } = await initiate(JSON.parse(text), text)
    expect(await textOf(id)).toBe(text)
  })

  it('is returned in the order of its members if the host gave no text', async () => {
    const payload = { zebra: 1, recipient: 'ACME', currency: 'EUR', amount: 10, alpha: { b: 1, a: 2 } }
    const { id } = await initiate(payload)
    expect(await textOf(id)).toBe(JSON.stringify(payload))
  })

  /** Returns a payload of exactly this many bytes of UTF-8. */
  const textOfBytes = (bytes: number, filler: string): string => {
    const text = (note: string) => JSON.stringify({ ...validPayloads.payment_approval, note })
    const room = bytes - Buffer.byteLength(text(''))
    const size = Buffer.byteLength(filler)
    return text(filler.repeat(Math.floor(room / size)) + 'x'.repeat(room % size))
  }

  it.each(['x', 'é', '€', '🔐'])(
    'may have 4096 bytes of UTF-8, whatever the number of characters: filled with %j',
    async (filler) => {
      const [most, more] = [textOfBytes(4096, filler), textOfBytes(4097, filler)]
      expect([Buffer.byteLength(most), Buffer.byteLength(more)]).toStrictEqual([4096, 4097])
      const tooLong = new Invalid({ actionPayload: 'must be at most 4096 bytes of JSON' })
      expect(await textOf((await initiate(JSON.parse(most), most)).id)).toBe(most)
      expect(await textOf((await initiate(JSON.parse(most))).id)).toBe(most)
      await expect(initiate(JSON.parse(more), more)).rejects.toStrictEqual(tooLong)
      await expect(initiate(JSON.parse(more))).rejects.toStrictEqual(tooLong)
    },
  )

  it('is refused if the text is not JSON, and the error does not quote the text', async () => {
    const refusal = await initiate(validPayloads.payment_approval, '{"canary": canary').catch((error: unknown) => error)
    expect(refusal).toStrictEqual(new Invalid({ actionPayload: 'must be JSON of finite numbers and well-formed text' }))
  })

  it('is measured with its white space, as it was received', async () => {
    const text = JSON.stringify(validPayloads.payment_approval).replace('{', `{${' '.repeat(4096)}`)
    await expect(initiate(validPayloads.payment_approval, text)).rejects.toThrow('at most 4096 bytes')
  })

  it.each([
    ['an infinite number', '{"amount":10,"currency":"EUR","recipient":"ACME","rate":1e400}'],
    ['an unpaired surrogate', '{"amount":10,"currency":"EUR","recipient":"ACME","note":"\\ud800"}'],
    ['an unpaired surrogate in a name', '{"amount":10,"currency":"EUR","recipient":"ACME","\\udc00":1}'],
  ])('is refused if it has no canonical form: %s', async (_, text) => {
    const refusal = await initiate(JSON.parse(text), text).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Invalid)
    expect(refusal).toMatchObject({ fields: { actionPayload: expect.any(String) } })
  })

  it.each([
    ['a bigint', { big: 1n }],
    [
      'a cycle',
      (() => {
        const cyclic: Record<string, unknown> = {}
        cyclic.self = cyclic
        return cyclic
      })(),
    ],
    ['NaN', { rate: Number.NaN }],
  ])('is refused if it cannot be written as JSON: %s', async (_, members) => {
    const refusal = await initiate({ ...validPayloads.payment_approval, ...members }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Invalid)
  })
})

describe('the words of a confirmation', () => {
  it('exist in every language of the product', async () => {
    const { display } = await viewOf((await initiate()).id)
    expect(Object.keys(display)).toStrictEqual(['en', 'de', 'fr', 'es', 'ar'])
  })

  it('exist in English only if all languages together would be too long, so that no valid payload is refused', async () => {
    const note = 'x'.repeat(3900)
    const { display } = await viewOf((await initiate({ ...validPayloads.payment_approval, note })).id)
    expect(Object.keys(display)).toStrictEqual(['en'])
    expect(display.en?.lines).toContainEqual({ label: 'Note', value: `\u2068${note}\u2069` })
  })

  it('show all members on one line if there are very many', async () => {
    const many = Object.fromEntries(Array.from({ length: 495 }, (_, at) => [`_${at.toString(36)}`, at % 10]))
    const { display } = await viewOf((await initiate({ ...validPayloads.payment_approval, ...many })).id)
    const value = Object.entries(many).map(([name, digit]) => `"${name}": ${digit}`)
    expect(display.en?.lines).toContainEqual({ label: 'Further values', value: `\u2068${value.join(' · ')}\u2069` })
  })

  const deep = (depth: number): object => (depth === 0 ? { a: 1 } : { a: 1, b: deep(depth - 1) })
  const changed = { settingKey: 'k', oldValue: deep(150), newValue: { ...deep(150), b: { ...deep(149), a: 2 } } }
  it.each([
    ['one digit in each', 'payment_approval', { many: Array.from({ length: 2000 }, () => 1) }],
    ['empty lists', 'payment_approval', { many: Array.from({ length: 1300 }, () => []) }],
    ['quotes', 'payment_approval', { many: Array.from({ length: 550 }, () => '"·') }],
    ['line breaks', 'payment_approval', { many: '\n'.repeat(1950) }],
    ['numbers of rows', 'payment_approval', { many: Array.from({ length: 70 }, () => ({ id: randomUUID() })) }],
    [
      'items of many members',
      'purchase_order',
      { amount: 1, supplier: 'x', items: Array.from({ length: 300 }, () => ({ sku: 1 })) },
    ],
    ['objects in objects', 'settings_change', changed],
  ] as const)('exist for every payload of the greatest length: %s', async (_, actionType, members) => {
    const actionPayload = actionType === 'payment_approval' ? { ...validPayloads[actionType], ...members } : members
    expect(JSON.stringify(actionPayload).length).toBeGreaterThan(3000)
    const { id } = await test.countersign.confirmations.initiate({ caller, actionType, actionPayload })
    expect((await viewOf(id)).display.en?.lines.length).toBeGreaterThan(1)
  })

  it('are refused only for a payload of control characters, which nobody could read', async () => {
    const note = '\u007f'.repeat(3900)
    await expect(initiate({ ...validPayloads.payment_approval, note })).rejects.toMatchObject({
      fields: { actionPayload: 'must make at most 16384 bytes of words in all languages' },
    })
  })
})

describe('what a caller states about a request', () => {
  const asking = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
  const start = (said: object) => test.countersign.confirmations.initiate({ ...asking, caller, ...said })

  it('is signed, and shown to the approver', async () => {
    const context = { agent: 'clerk', tool: 'pay', run: '17', reason: 'Rent' }
    const { id } = await start({ operation: 'bank.pay', context })
    const { statementText, display } = await viewOf(id)
    expect(JSON.parse(statementText)).toMatchObject({ operation: 'bank.pay', context, onBehalfOf: null, tenant: null })
    expect(display.en?.lines.slice(-2)).toStrictEqual([
      { label: 'Run', value: '\u206817\u2069' },
      { label: 'Reason given', value: '\u2068Rent\u2069' },
    ])
  })

  it('never names another person, because only a service can say for whom it asks', async () => {
    const { id } = await start({ onBehalfOf: 'Eve' })
    expect(JSON.parse((await viewOf(id)).statementText)).toMatchObject({ onBehalfOf: null })
  })

  it.each([
    { operation: '' },
    { operation: 'a b' },
    { operation: 'x'.repeat(65) },
    { context: [] },
    { context: { run: 7 } },
    { context: { reason: '' } },
    { context: { reason: 'x'.repeat(201) } },
    { context: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}`, 'x'.repeat(100)])) },
    { context: { reason: 'a\u202eb' } },
    { context: { 'a\u202eb': 'x' } },
  ])('is refused for %j', async (said) => {
    await expect(start(said)).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('the pending confirmations of a user', () => {
  const initiateTimes = async (times: number) => {
    const ids: string[] = []
    for (let time = 0; time < times; time += 1) ids.push((await initiate()).id)
    return ids
  }

  it('are at most a hundred; the next one is refused with a time to wait', async () => {
    await initiateTimes(100)
    await expect(initiate()).rejects.toStrictEqual(new TooManyPendingConfirmations())
    expect(test.background.waiting).toBe(100)
  })

  it('allow a new one after another was settled or has expired', async () => {
    const [first = ''] = await initiateTimes(100)
    await test.countersign.confirmations.reject({ caller, confirmationId: first })
    await expect(initiate()).resolves.toBeDefined()
    await expect(initiate()).rejects.toThrow(TooManyPendingConfirmations)
    test.clock.advance(minutes(5))
    await expect(initiate()).resolves.toBeDefined()
  })

  it('do not count for another user', async () => {
    await initiateTimes(100)
    const other = (await signInNewUser(test)).caller
    const input = { caller: other, actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
    await expect(test.countersign.confirmations.initiate(input)).resolves.toBeDefined()
  })
})
