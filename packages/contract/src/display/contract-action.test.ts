import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionTypes } from '../vocabulary.ts'
import { isContractType, isolated, renderAction } from './index.ts'

const rows = (actionType: string, payload: Readonly<Record<string, unknown>>) =>
  renderAction(actionType, payload).lines.map(({ label, value }) => [label, value])

const value = isolated

describe('an action of the contract', () => {
  it('that is a payment is one sentence', () => {
    const payment = { amount: 1250, currency: 'EUR', recipient: "Ada's Workshop" }
    expect(renderAction('payment_approval', payment)).toStrictEqual({
      title: 'Payment',
      lines: [{ label: 'Pay', value: "\u20681,250.00 EUR to Ada's Workshop\u2069" }],
    })
  })

  it('shows every further member by its name, in the order of the payload', () => {
    const payment = { note: 'Rent', amount: '7.5', urgent: true, currency: 'EUR', recipient: 'Ada', for: { b: [1], a: null } }
    expect(rows('payment_approval', payment)).toStrictEqual([
      ['Pay', value('7.50 EUR to Ada')],
      ['note', value('Rent')],
      ['urgent', value('true')],
      ['for', value('{"b":[1],"a":null}')],
    ])
  })

  it('shows amount, currency and recipient one by one where they make no sentence', () => {
    expect(rows('payment_approval', { amount: 1e21, currency: 'EUR', recipient: 'Ada' })).toStrictEqual([
      ['Amount', value('1e+21')],
      ['Currency', value('EUR')],
      ['Recipient', value('Ada')],
    ])
    expect(rows('payment_approval', { amount: 5, currency: 978, recipient: { name: 'Ada' } })).toStrictEqual([
      ['Amount', value('5')],
      ['Currency', value('978')],
      ['Recipient', value('{"name":"Ada"}')],
    ])
    expect(rows('payment_approval', { amount: 5, currency: 'EUR', recipient: ['Ada', 'Bob'] })).toStrictEqual([
      ['Amount', value('5.00 EUR')],
      ['Recipient', value('Ada')],
      ['Recipient', value('Bob')],
    ])
  })

  it('shows lists item by item, and absent values as a dash', () => {
    expect(rows('purchase_order', { items: ['a', { b: 1 }], amount: 5, supplier: 'X' })).toStrictEqual([
      ['Amount', value('5')],
      ['Supplier', value('X')],
      ['Item', value('a')],
      ['Item', value('{"b":1}')],
    ])
    expect(rows('settings_change', { settingKey: 'k', oldValue: null, newValue: [] })).toStrictEqual([
      ['Setting', value('k')],
      ['Old value', '—'],
      ['New value', '—'],
    ])
    expect(rows('password_change', {})).toStrictEqual([['User', '—']])
  })

  it('asks in words whether the person trusts a new device', () => {
    const place = { address: '203.0.113.7', userAgent: 'Firefox/153', at: '2026-11-25T10:09:12.345Z' }
    const vouching = { deviceName: 'Phone', deviceType: 'mobile', deviceId: 'd-1', keyThumbprint: 'k-1', requestedFrom: place }
    expect(renderAction('device_register', vouching).title).toBe('Trust a new device')
    expect(rows('device_register', vouching)).toStrictEqual([
      ['Device', value('Phone')],
      ['Kind of device', value('mobile')],
      ['Address', value('203.0.113.7')],
      ['Program', value('Firefox/153')],
      ['Time', value('2026-11-25 10:09:12 UTC')],
      ['Id', value('d-1')],
      ['Fingerprint of the key', value('k-1')],
    ])
    expect(rows('device_register', { ...vouching, address: 'home' }).at(-1)).toStrictEqual(['"address"', value('home')])
    const passkey = { ...vouching, deviceType: 'passkey', requestedFrom: { ...place, address: null, userAgent: null } }
    expect(renderAction('device_register', passkey).title).toBe('Trust a new passkey')
    expect(rows('device_register', passkey).slice(2, 4)).toStrictEqual([
      ['Address', value('an unknown address')],
      ['Program', value('an unknown program')],
    ])
  })

  it('shows the members of a new device by their names where they are not those of a vouching', () => {
    const requestedFrom = { address: null, userAgent: null, at: 'now', note: 'x' }
    const payload = { deviceName: 'A', deviceType: 'mobile', deviceId: 'd', keyThumbprint: 'k', requestedFrom }
    expect(renderAction('device_register', payload).title).toBe('New device')
    expect(rows('device_register', payload).slice(2)).toStrictEqual([
      ['deviceId', value('d')],
      ['keyThumbprint', value('k')],
      ['requestedFrom', value(JSON.stringify(requestedFrom))],
    ])
    const withoutTime = { ...payload, requestedFrom: { address: null, userAgent: null } }
    expect(renderAction('device_register', withoutTime).title).toBe('New device')
  })

  it('marks a name that looks like one of our labels', () => {
    const payment = { amount: 5, currency: 'EUR', recipient: 'Eve', 'Pay ': '1.00 EUR to Ada', RECIPIENT: 'Ada', '': 1 }
    expect(rows('payment_approval', payment)).toStrictEqual([
      ['Pay', value('5.00 EUR to Eve')],
      ['"Pay "', value('1.00 EUR to Ada')],
      ['"RECIPIENT"', value('Ada')],
      ['""', value('1')],
    ])
  })

  it('shows hidden characters in names and values', () => {
    expect(rows('payment_approval', { amount: 5, currency: 'EUR', recipient: 'A\u202ed\nb', 'x\u200b': '\u2066' })).toStrictEqual(
      [
        ['Pay', '\u20685.00 EUR to A\\u{202e}d\\u{a}b\u2069'],
        ['x\\u{200b}', '\u2068\\u{2066}\u2069'],
      ],
    )
  })

  it.each(actionTypes)('of the type %s loses no member of any payload', (actionType) => {
    const names = fc.constantFrom('amount', 'currency', 'recipient', 'userId', 'items', 'toString', '__proto__', 'x')
    const values = fc.oneof(
      fc.integer(),
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.constant('EUR'),
      fc.array(fc.integer(), { minLength: 1 }),
    )
    fc.assert(
      fc.property(fc.dictionary(names, values, { noNullPrototype: true }), (payload) => {
        const shown = rows(actionType, payload).flat().join('\n')
        for (const one of Object.values(payload).flat()) {
          const digits = shown.replaceAll(',', '')
          expect(digits).toContain(String(one))
        }
      }),
    )
  })

  it('is told from a registered one', () => {
    expect(actionTypes.every(isContractType)).toBe(true)
    expect(['wire_transfer', 'toString', '__proto__', ''].some(isContractType)).toBe(false)
    expect(renderAction('wire_transfer', { a: 1 })).toStrictEqual({
      title: 'Wire transfer',
      lines: [{ label: 'a', value: value('1') }],
    })
  })
})
