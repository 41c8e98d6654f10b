import { expect, it } from 'vitest'
import { readCbor, readFirstCbor } from './cbor.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

it.each([
  ['a number', '18 64', 100],
  ['a negative number', '39 0100', -257],
  ['a text', '64 6e6f6e65', 'none'],
  ['bytes', '42 0102', bytes('0102')],
  ['a list', '82 01 f5', [1, true]],
  ['a map', 'a1 01 02', new Map([[1, 2]])],
  [
    'a map in any order',
    'a2 02 00 01 00',
    new Map([
      [2, 0],
      [1, 0],
    ]),
  ],
])('%s is accepted', (_, hex, value) => {
  expect(readCbor(bytes(hex))).toEqual(value)
})

it.each([
  ['nothing', ''],
  ['two numbers', '01 01'],
  ['a length that is longer than it need be', '58 01 00'],
  ['a number in more bytes than it needs', '19 0064'],
  ['a length that says more than there is', '42 01'],
  ['an indefinite length', '9f 01 ff'],
  ['a key twice', 'a2 01 01 01 02'],
  ['a key that is a list', 'a1 80 01'],
  ['text beyond ASCII', '62 c3a4'],
  ['lists in lists without end', '81'.repeat(60_000)],
])('%s is refused', (_, hex) => {
  expect(readCbor(bytes(hex))).toBeUndefined()
})

it('readFirstCbor reads the first item, and returns the remaining bytes', () => {
  expect(readFirstCbor(bytes('a0 01 02'))).toStrictEqual({ item: new Map(), rest: bytes('01 02') })
})
