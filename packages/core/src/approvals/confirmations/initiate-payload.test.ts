import { actionTypes } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { type SignedIn, signInNewUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'

let test: TestCountersign
let caller: SignedIn['caller']
beforeAll(async () => {
  test = await createTestCountersign({ options: { pendingConfirmationsPerUser: 1000 } })
  caller = (await signInNewUser(test)).caller
})

type InitiateInput = Parameters<TestCountersign['countersign']['confirmations']['initiate']>[0]
const initiate = (actionType: unknown, actionPayload: unknown, actionPayloadText?: string) =>
  test.countersign.confirmations.initiate({ caller, actionType, actionPayload, actionPayloadText } as InitiateInput)

/** Initiates a confirmation that must be refused. Returns the message for each bad field. */
const complaintsOf = async (...input: Parameters<typeof initiate>): Promise<Readonly<Record<string, string>>> => {
  const outcome = await initiate(...input).catch((error: unknown) => error)
  if (!(outcome instanceof Invalid)) throw new Error(`accepted: ${JSON.stringify(input)}`)
  return outcome.fields
}

const aValue = 'must be given, and neither null nor empty'
const anAmount = 'must be a number, or a decimal number as text, that is not negative'
const unseen = ['\u2800', '\u00a0', '\u3164', '\u{1d159}', '\u200d\u200c', '\u0301']
const empty = ['', null, [], {}, ' \t\n', ...unseen]
const notAmounts = [-1, -0.01, '', '-1', '-0', '+1', '1e3', '1.', '.5', '1,5', ' 1', '٣', null, true, [10], {}]
const given = { takes: aValue, not: empty }

/** For each required member: the message of a refusal, and values that are refused. */
const rules: Record<keyof typeof validPayloads, Record<string, { takes: string; not: readonly unknown[] }>> = {
  payment_approval: { amount: { takes: anAmount, not: notAmounts }, currency: given, recipient: given },
  document_approval: { documentId: given, documentName: given },
  purchase_order: {
    amount: { takes: anAmount, not: notAmounts },
    supplier: given,
    items: { takes: 'must be a list with at least one item', not: [[], {}, 'paper', null, 1] },
  },
  user_access: { userId: given, permissions: given },
  settings_change: {
    settingKey: given,
    oldValue: { takes: 'must be given', not: [undefined] },
    newValue: { takes: 'must be given', not: [undefined] },
  },
  password_change: { userId: given },
  device_register: { deviceName: given, deviceType: given },
  sensitive_data_access: { dataType: given, reason: given },
}

describe.each(actionTypes)('a payload of %s', (actionType) => {
  const valid: Record<string, unknown> = validPayloads[actionType]

  it('is accepted with its required members, and with further members', async () => {
    await expect(initiate(actionType, valid)).resolves.toBeDefined()
    await expect(initiate(actionType, { ...valid, description: 'why not', bankAccount: { iban: 'DE02' } })).resolves.toBeDefined()
  })

  it('has each required member of the contract in this test', () => {
    expect(Object.keys(rules[actionType]).sort()).toStrictEqual(Object.keys(valid).sort())
  })

  it.each(Object.entries(rules[actionType]))(
    'is refused, naming %s, if that member is missing or has a wrong value',
    async (field, { takes, not }) => {
      const { [field]: _, ...without } = valid
      for (const payload of [without, ...not.map((value) => ({ ...valid, [field]: value }))]) {
        expect(await complaintsOf(actionType, payload), JSON.stringify(payload)).toStrictEqual({
          [`actionPayload.${field}`]: takes,
        })
      }
    },
  )

  it('is refused if a required member is only inherited from the prototype', async () => {
    const [field = ''] = Object.keys(valid)
    const { [field]: inherited, ...own } = valid
    const payload = Object.assign(Object.create({ [field]: inherited }), own)
    expect(await complaintsOf(actionType, payload)).toHaveProperty([`actionPayload.${field}`])
  })

  it.each([null, undefined, 'text', 7, true, [[]]])('is refused if it is %j and not an object', async (payload) => {
    expect(await complaintsOf(actionType, payload)).toStrictEqual({ actionPayload: 'must be an object' })
  })
})

describe('an action', () => {
  it.each([
    '',
    'payment',
    'PAYMENT_APPROVAL',
    'payment_approval ',
    'toString',
    '__proto__',
    null,
    7,
    undefined,
    ['payment_approval'],
  ])('of the unknown type %j is refused', async (actionType) => {
    expect(await complaintsOf(actionType, validPayloads.payment_approval)).toStrictEqual({
      actionType: `must be one of ${actionTypes.join(', ')}`,
    })
  })

  it.each(['payment_approval', 'purchase_order'] as const)(
    'of type %s is refused if the amount is infinite',
    async (actionType) => {
      const text = JSON.stringify({ ...validPayloads[actionType], amount: 'RAW' }).replace('"RAW"', '1e400')
      expect(await complaintsOf(actionType, JSON.parse(text), text)).toStrictEqual({ 'actionPayload.amount': anAmount })
    },
  )

  it('is refused with the name of every wrong field', async () => {
    expect(await complaintsOf('payment_approval', {})).toStrictEqual({
      'actionPayload.amount': anAmount,
      'actionPayload.currency': aValue,
      'actionPayload.recipient': aValue,
    })
  })

  it.each([
    ['user_access', { userId: '7', permissions: ['anything at all', 7] }],
    ['user_access', { userId: 1.5, permissions: 'project.read' }],
    ['user_access', { userId: { directory: 'x', id: 7 }, permissions: { project: ['read'] } }],
    ['document_approval', { documentId: 4711, documentName: { en: 'Contract' } }],
    ['settings_change', { settingKey: 'k', oldValue: false, newValue: '' }],
    ['settings_change', { settingKey: 'k', oldValue: [], newValue: {} }],
    ['payment_approval', { amount: 0, currency: 'eur', recipient: [' '] }],
    ['payment_approval', { amount: '0', currency: 978, recipient: { name: 'ACME GmbH', iban: 'DE02' } }],
    ['payment_approval', { amount: '1250.50', currency: 'euros', recipient: 0 }],
    ['payment_approval', { amount: '12345678901234567890.123456789', currency: '€', recipient: false }],
    ['purchase_order', { amount: Number.MAX_VALUE, supplier: 's', items: [null] }],
    ['device_register', { deviceName: ['a'], deviceType: 'watch' }],
  ])('of type %s is accepted with the payload %j', async (actionType, payload) => {
    await expect(initiate(actionType, payload)).resolves.toBeDefined()
  })
})
