import { expect, it } from 'vitest'
import { showPayload } from './show-payload.ts'

it('shows every member of a payload, and the amount with its currency as money', () => {
  expect(showPayload({ amount: 1250, currency: 'EUR', recipient: 'Ada', items: [1] })).toEqual([
    ['amount', '1,250.00\u00a0EUR'],
    ['recipient', 'Ada'],
    ['items', '[1]'],
  ])
})

it('shows amount and currency unchanged if they are not money', () => {
  const odd = [
    ['amount', 'much'],
    ['currency', 'EUR'],
  ]
  expect(showPayload(Object.fromEntries(odd))).toEqual(odd)
  expect(showPayload({ currency: 'EUR' })).toEqual([['currency', 'EUR']])
})
