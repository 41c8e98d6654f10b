import { expect, it } from 'vitest'
import { recordMapping } from './record-mapping.ts'

const mapping = recordMapping('id userId deviceName=name lastUsedAt')
const record = { id: 'a', userId: 1, deviceName: 'Phone', lastUsedAt: null }
const row = { id: 'a', user_id: 1, name: 'Phone', last_used_at: null }

it('a record becomes a row of the named columns and back, without other members', () => {
  expect(mapping.columns).toStrictEqual(['id', 'user_id', 'name', 'last_used_at'])
  expect(mapping.toRow({ ...record, more: true })).toStrictEqual(row)
  expect(mapping.toRecord({ ...row, more: true })).toStrictEqual(record)
})

it('two records of one mapping share nothing', () => {
  expect(mapping.toRecord({ ...row, id: 'b' })).toStrictEqual({ ...record, id: 'b' })
  expect(mapping.toRecord(row)).toStrictEqual(record)
})
