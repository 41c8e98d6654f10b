import { expect, it } from 'vitest'
import { isExactAssertion, isExactCreation } from './authenticator-data.ts'

const head = new Uint8Array(37)
const credential = [...new Uint8Array(16), 0, 1, 7]
const emptyMap = 0xa0

it.each([
  ['a credential and its key', [...credential, emptyMap], true],
  ['extension outputs after the key', [...credential, emptyMap, emptyMap], true],
  ['no credential', [], false],
  ['a credential that ends before its id', credential.slice(0, -2), false],
  ['a credential without a key', credential, false],
  ['anything else after the key', [...credential, emptyMap, 1], false],
])('authenticator data of a registration with %s is exact: %j → %s', (_, rest, isExact) => {
  expect(isExactCreation(new Uint8Array([...head, ...rest]))).toBe(isExact)
})

it('authenticator data of an assertion is exact with its whole head and nothing but extension outputs', () => {
  expect(isExactAssertion(head)).toBe(true)
  expect(isExactAssertion(new Uint8Array([...head, emptyMap]))).toBe(true)
  expect(isExactAssertion(head.subarray(1))).toBe(false)
  expect(isExactAssertion(new Uint8Array([...head, 1]))).toBe(false)
})
