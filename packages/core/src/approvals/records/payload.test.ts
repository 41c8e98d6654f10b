import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { type SignedIn, signInNewUser } from '../../testing/sign-in.ts'
import { requireReadable } from './payload.ts'

const directions = 'U+202A to U+202E or U+2066 to U+2069, which change the direction of text'
const digits = 'must be a number that a double holds with all its digits; send a longer number as text'

const complaint = (text: string): Readonly<Record<string, string>> | undefined => {
  try {
    requireReadable(text)
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.fields
    throw error
  }
}

describe('a payload is refused with the name of the member', () => {
  it.each([
    ['{"amount":12345678901234567891}', 'actionPayload.amount'],
    ['{"a":{"b":[1,{"c":0.1000000000000000055}]}}', 'actionPayload.a.b[1].c'],
    ['{"amount":1,"rate":1e-400}', 'actionPayload.rate'],
    ['{"amount":12345678901234567891,"amount":1}', 'actionPayload.amount'],
    ['{"10":1.00000000000000000001}', 'actionPayload.10'],
  ])('for a number that no double holds: %s', (text, field) => {
    expect(complaint(text)).toEqual({ [field]: digits })
  })

  it.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
    'for the direction character %j, as it stands and escaped',
    (character) => {
      const escaped = `\\u${character.charCodeAt(0).toString(16)}`
      for (const written of [character, escaped]) {
        expect(complaint(`{"note":["x",{"to":"Ada${written}"}]}`)).toEqual({
          'actionPayload.note[1].to': `must not contain ${directions}`,
        })
        expect(complaint(`{"note":{"x${written}":1}}`)).toEqual({
          'actionPayload.note': `must not have names that contain ${directions}`,
        })
        expect(complaint(`{"${written}":{"x":1}}`)).toEqual({
          actionPayload: `must not have names that contain ${directions}`,
        })
      }
    },
  )
})

describe('a payload is accepted', () => {
  it.each([
    '{"a":0.1,"b":1250.50,"c":1e21,"d":-0,"e":[1,2.5E-7]}',
    '{"a":"12345678901234567891"}',
    '{"a":"\u202f\u200f\u061cعربي"}',
  ])('%s', (text) => expect(complaint(text)).toBeUndefined())

  it('at any depth', () => {
    expect(complaint(`{"a":${'['.repeat(2040)}${']'.repeat(2040)}}`)).toBeUndefined()
    expect(complaint(`${'{"":'.repeat(800)}1${'}'.repeat(800)}`)).toBeUndefined()
  })

  it('if a program wrote it and no text changes the direction of reading', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify({ value })
        expect(complaint(text) === undefined).toBe(!/[\u202a-\u202e\u2066-\u2069]/.test(text))
      }),
    )
  })
})

describe('initiating', () => {
  let test: TestCountersign
  let ada: SignedIn
  beforeEach(async () => {
    test = await createTestCountersign()
    ada = await signInNewUser(test)
  })

  const payment = { amount: 1, currency: 'EUR', recipient: 'Ada' }
  const initiate = (actionPayload: unknown, actionPayloadText?: string) =>
    test.countersign.confirmations.initiate({
      caller: ada.caller,
      actionType: 'payment_approval',
      actionPayload: actionPayload as typeof payment,
      ...(actionPayloadText !== undefined && { actionPayloadText }),
    })

  it('refuses the text of a payload that reads in two ways', async () => {
    const text = '{"amount":12345678901234567891,"currency":"EUR","recipient":"Ada"}'
    await expect(initiate(undefined, text)).rejects.toThrow(`actionPayload.amount: ${digits}`)
    expect(await initiate(undefined, text.replace('12345678901234567891', '1250.50'))).toHaveProperty('challenge')
  })

  it('refuses an object of a host that reads in two ways', async () => {
    await expect(initiate({ ...payment, note: { 'x\u202e': 1 } })).rejects.toThrow('actionPayload.note: must not have names')
    await expect(initiate({ ...payment, recipient: 'Ada\u2066' })).rejects.toThrow('actionPayload.recipient: must not contain')
    // A double of a host has no other digits than its shortest text.
    expect(await initiate({ ...payment, amount: Number('12345678901234567891') })).toHaveProperty('challenge')
  })

  it('accepts payloads of a contract type with right-to-left text', async () => {
    expect(await initiate({ ...payment, recipient: 'שלום עולם' })).toHaveProperty('challenge')
  })
})
