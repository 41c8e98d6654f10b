import { describe, expect, it } from 'vitest'
import type { PendingConfirmation } from '../index.ts'
import { displayOf } from './index.ts'

const wire = {
  actionType: 'wire_transfer',
  actionPayload: { amount: 1 },
  actionTypeVersion: '1.0.0',
  display: {
    en: { title: 'Wire transfer', lines: [{ label: 'Amount', value: '\u20681\u2069' }] },
    de: { title: 'Überweisung', lines: [{ label: 'Betrag', value: '\u20681\u2069' }] },
  },
}
const payment = { actionType: 'payment_approval', actionPayload: { amount: 1250, currency: 'EUR', recipient: "Ada's Workshop" } }
const paymentWords = { title: 'Payment', lines: [{ label: 'Pay', value: "\u20681,250.00 EUR to Ada's Workshop\u2069" }] }

describe('the display of a confirmation', () => {
  it('has the signed words in the asked language', () => {
    expect(displayOf(wire)).toStrictEqual(wire.display.en)
    expect(displayOf(wire, 'de-CH')).toStrictEqual(wire.display.de)
    expect(displayOf(wire, 'fr')).toStrictEqual(wire.display.en)
  })

  it('is written from the payload for a type of the contract', () => {
    expect(displayOf(payment)).toStrictEqual(paymentWords)
    expect(displayOf({ ...payment, actionTypeVersion: null, display: null }, 'de')).toStrictEqual(paymentWords)
  })

  it('never has words that no signature commits to', () => {
    const { display } = wire
    expect(displayOf({ ...payment, display })).toStrictEqual(paymentWords)
    expect(displayOf({ ...payment, actionTypeVersion: null, display })).toStrictEqual(paymentWords)
    expect(displayOf({ ...payment, actionTypeVersion: '1.0.0', display })).toStrictEqual(paymentWords)
    const words = { title: 'Wire transfer', lines: [{ label: 'amount', value: '\u20681\u2069' }] }
    expect(displayOf({ ...wire, actionTypeVersion: null })).toStrictEqual(words)
  })

  it('has every member of the payload where the signed words are missing or malformed', () => {
    const words = { title: 'Wire transfer', lines: [{ label: 'amount', value: '\u20681\u2069' }] }
    for (const display of [null, undefined, {}, { en: null }]) {
      expect(displayOf({ ...wire, display } as never)).toStrictEqual(words)
    }
    expect(displayOf({ actionType: 'wire_transfer', actionPayload: null } as never)).toStrictEqual({ ...words, lines: [] })
  })

  it('takes the confirmations that the client lists', () => {
    const typed = (pending: PendingConfirmation) => displayOf(pending)
    expect(typed).toBeTypeOf('function')
  })
})
