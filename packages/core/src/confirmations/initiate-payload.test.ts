import { actionTypes } from '@countersign/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { Invalid } from '../errors.ts'
import { createTestCountersign, type TestCountersign } from '../testing/create-test-countersign.ts'
import { type SignedIn, signInNewUser } from '../testing/sign-in.ts'
import { validPayloads } from '../testing/valid-payloads.ts'

let test: TestCountersign
let caller: SignedIn['caller']
beforeAll(async () => {
  test = createTestCountersign({ options: { pendingConfirmationsPerUser: 1000 } })
  caller = (await signInNewUser(test)).caller
})

type InitiateInput = Parameters<TestCountersign['countersign']['confirmations']['initiate']>[0]
const initiate = (actionType: unknown, actionPayload: unknown, actionPayloadText?: string) =>
  test.countersign.confirmations.initiate({ caller, actionType, actionPayload, actionPayloadText } as InitiateInput)

/** The bad fields of a refused input, with what they take. */
const complaintsOf = async (...input: Parameters<typeof initiate>): Promise<Readonly<Record<string, string>>> => {
  const outcome = await initiate(...input).catch((error: unknown) => error)
  if (!(outcome instanceof Invalid)) throw new Error(`accepted: ${JSON.stringify(input)}`)
  return outcome.fields
}

const aText = 'must be text that is not empty'
const aNumber = 'must be a number above 0'
const anId = 'must be an integer from -9007199254740991 to 9007199254740991, or text that is not empty'
const notTexts = ['', null, 7, true, ['x'], {}]
const notAmounts = [0, -1, -0.01, '10', null, true, [10]]

/** What each required member takes, and values it does not. */
const rules: Record<keyof typeof validPayloads, Record<string, { takes: string | RegExp; not: readonly unknown[] }>> = {
  payment_approval: {
    amount: { takes: aNumber, not: notAmounts },
    currency: {
      takes: 'must be a currency code of three letters',
      not: ['', 'EU', 'EURO', 'E1R', 'ÄÖÜ', ' EUR', 'EUR\n', 7, null],
    },
    recipient: { takes: aText, not: notTexts },
  },
  document_approval: { documentId: { takes: aText, not: notTexts }, documentName: { takes: aText, not: notTexts } },
  purchase_order: {
    amount: { takes: aNumber, not: notAmounts },
    supplier: { takes: aText, not: notTexts },
    items: { takes: 'must be a list with at least one item', not: [[], {}, 'paper', null, 1] },
  },
  user_access: {
    userId: { takes: anId, not: ['', 1.5, 2 ** 53, -(2 ** 53), null, true, {}] },
    permissions: { takes: 'must be a list of texts', not: ['project.read', null, {}, 7] },
  },
  settings_change: {
    settingKey: { takes: aText, not: notTexts },
    oldValue: { takes: 'must be given', not: [undefined] },
    newValue: { takes: 'must be given', not: [undefined] },
  },
  password_change: { userId: { takes: anId, not: ['', 1.5, 1e300, null, true, []] } },
  device_register: { deviceName: { takes: aText, not: notTexts }, deviceType: { takes: aText, not: notTexts } },
  sensitive_data_access: { dataType: { takes: aText, not: notTexts }, reason: { takes: aText, not: notTexts } },
}

describe.each(actionTypes)('a payload of %s', (actionType) => {
  const valid: Record<string, unknown> = validPayloads[actionType]

  it('is taken with its required members, and with others beside them', async () => {
    await expect(initiate(actionType, valid)).resolves.toBeDefined()
    await expect(initiate(actionType, { ...valid, description: 'why not', bankAccount: { iban: 'DE02' } })).resolves.toBeDefined()
  })

  it('has a rule here for each member that it requires', () => {
    expect(Object.keys(rules[actionType]).sort()).toStrictEqual(Object.keys(valid).sort())
  })

  it.each(Object.entries(rules[actionType]))(
    'names %s where it is missing or not what it takes',
    async (field, { takes, not }) => {
      const { [field]: _, ...without } = valid
      for (const payload of [without, ...not.map((value) => ({ ...valid, [field]: value }))]) {
        expect(await complaintsOf(actionType, payload), JSON.stringify(payload)).toStrictEqual({
          [`actionPayload.${field}`]: expect.stringMatching(takes),
        })
      }
    },
  )

  it('does not take a required member from a prototype', async () => {
    const [field = ''] = Object.keys(valid)
    const { [field]: inherited, ...own } = valid
    const payload = Object.assign(Object.create({ [field]: inherited }), own)
    expect(await complaintsOf(actionType, payload)).toHaveProperty([`actionPayload.${field}`])
  })

  it.each([null, undefined, 'text', 7, true, [[]]])('is an object, not %j', async (payload) => {
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
  ])('is not of type %j', async (actionType) => {
    expect(await complaintsOf(actionType, validPayloads.payment_approval)).toStrictEqual({
      actionType: `must be one of ${actionTypes.join(', ')}`,
    })
  })

  it.each(['payment_approval', 'purchase_order'] as const)('of %s has a finite amount', async (actionType) => {
    const text = JSON.stringify({ ...validPayloads[actionType], amount: 'RAW' }).replace('"RAW"', '1e400')
    expect(await complaintsOf(actionType, JSON.parse(text), text)).toStrictEqual({ 'actionPayload.amount': aNumber })
  })

  it('names every field that is wrong', async () => {
    expect(await complaintsOf('payment_approval', {})).toStrictEqual({
      'actionPayload.amount': aNumber,
      'actionPayload.currency': 'must be a currency code of three letters',
      'actionPayload.recipient': aText,
    })
    expect(await complaintsOf('user_access', { userId: 7, permissions: ['project.read', 7] })).toStrictEqual({
      'actionPayload.permissions[1]': 'must be text',
    })
  })

  it.each([
    ['user_access', { userId: 7, permissions: [] }],
    ['user_access', { userId: '7', permissions: ['anything at all'] }],
    ['settings_change', { settingKey: 'k', oldValue: false, newValue: '' }],
    ['payment_approval', { amount: 0.0001, currency: 'eur', recipient: ' ' }],
    ['purchase_order', { amount: Number.MAX_VALUE, supplier: 's', items: [null] }],
  ])('of %s may say %j', async (actionType, payload) => {
    await expect(initiate(actionType, payload)).resolves.toBeDefined()
  })
})
