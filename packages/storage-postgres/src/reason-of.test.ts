import pg from 'pg'
import { expect, it } from 'vitest'
import { OperatorError } from './operator-error.ts'
import { reasonOf } from './reason-of.ts'

const databaseError = (code: string): Error => Object.assign(new pg.DatabaseError('secret', 1, 'error'), { code })

it.each([
  ['25006', 'database_read_only'],
  ['53100', 'database_full'],
  ['53300', 'database_connections'],
  ['57P01', 'database_restarting'],
  ['57P03', 'database_restarting'],
  ['57014', 'database_timeout'],
  ['55P03', 'database_locked'],
  ['28P01', 'database_login_refused'],
  ['42501', 'database_permission_denied'],
  ['08006', 'database_unreachable'],
  ['40001', 'write_conflicts'],
  ['40P01', 'write_conflicts'],
  ['58030', 'database_failed'],
  ['XX001', 'database_failed'],
])('the SQLSTATE %s is reported as %s', (code, reason) => {
  expect(reasonOf(databaseError(code))).toBe(reason)
})

it('an error of the network or the driver is reported with its cause too', () => {
  expect(reasonOf(Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }))).toBe('database_unreachable')
  expect(reasonOf(Object.assign(new Error('secret'), { code: 'ETIMEDOUT' }))).toBe('database_timeout')
  expect(reasonOf(new Error('The connection to the database is broken'))).toBe('database_unreachable')
  expect(reasonOf(new OperatorError('read-only', { reason: 'database_read_only' }))).toBe('database_read_only')
})
