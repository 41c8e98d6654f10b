import { expect, it } from 'vitest'
import { readableParts } from './readable-parts.ts'

const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

it('decodes header, payload and disclosures', () => {
  const receipt = `${encode({ alg: 'Ed25519' })}.${encode({ iat: 1 })}.c2ln~${encode(['salt', 'approver', { name: 'Ada' }])}~`
  expect(readableParts(receipt).map(({ name, json }) => [name, JSON.parse(json)])).toEqual([
    ['Header', { alg: 'Ed25519' }],
    ['Payload', { iat: 1 }],
    ['Disclosure 1', ['salt', 'approver', { name: 'Ada' }]],
  ])
})

it('says where a part is not readable', () => {
  expect(readableParts('%.AAAA.~').map(({ json }) => json)).toEqual([
    'Not readable: the part is no JSON in base64url.',
    'Not readable: the part is no JSON in base64url.',
  ])
})
