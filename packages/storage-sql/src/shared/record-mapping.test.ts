import { expect, it } from 'vitest'
import { recordMapping } from './record-mapping.ts'

const mapping = recordMapping('devices', 'id userId deviceName=name lastUsedAt')
const record = { id: 'a', userId: 1, deviceName: 'Phone', lastUsedAt: null }
const row = { id: 'a', user_id: 1, name: 'Phone', last_used_at: null }

it('a record becomes a row of the named columns and back, without other members', () => {
  expect(mapping.columns).toStrictEqual(['id', 'user_id', 'name', 'last_used_at'])
  expect(mapping.toRow({ ...record, ...{ more: true } })).toStrictEqual(row)
  expect(mapping.toRecord({ ...row, ...{ more: true } })).toStrictEqual(record)
})

it('two records of one mapping share nothing', () => {
  expect(mapping.toRecord({ ...row, id: 'b' })).toStrictEqual({ ...record, id: 'b' })
  expect(mapping.toRecord(row)).toStrictEqual(record)
})

it('a kind converts flags, lists of texts and bounds, and keeps null', () => {
  const passkeys = recordMapping('passkeys', 'backedUp:flag discoverable:flag transports:texts tenants:bound')
  const stored = { backed_up: 1, discoverable: 0, transports: '["usb","nfc"]', tenants: '["acme"]' } as const
  const read = { backedUp: true, discoverable: false, transports: ['usb', 'nfc'], tenants: ['acme'] }
  expect(passkeys.columns).toStrictEqual(['backed_up', 'discoverable', 'transports', 'tenants'])
  expect(passkeys.toRecord(stored)).toStrictEqual(read)
  expect(passkeys.toRow(read)).toStrictEqual(stored)
  const empty = { ...read, discoverable: null, tenants: null }
  expect(passkeys.toRow(empty)).toStrictEqual({ ...stored, discoverable: null, tenants: null })
  expect(passkeys.toRecord(passkeys.toRow(empty))).toStrictEqual(empty)
})
