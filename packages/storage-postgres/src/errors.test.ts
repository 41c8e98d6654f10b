import { Unavailable } from '@countersign/core/storage'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { asUnavailable, breaksConnection, isNotExecuted } from './errors.ts'

const errorOf = (code: string) => Object.assign(new pg.DatabaseError('told by the server', 0, 'error'), { code })

describe('a PostgreSQL error', () => {
  it.each(['08006', '53100', '53300', '57014', '57P01', '57P03', '58030', '25006', '25P03', '55P03', 'XX001'])(
    'means that the database is unavailable: %s',
    (code) => {
      const cause = errorOf(code)
      expect(asUnavailable(cause)).toBeInstanceOf(Unavailable)
      expect(asUnavailable(cause)).toHaveProperty('cause', cause)
    },
  )

  it.each(['23505', '22021', '42P01', '40001', '40P01', 'XX000'])(
    'does not mean that the database is unavailable: %s',
    (code) => {
      const error = errorOf(code)
      expect(asUnavailable(error)).toBe(error)
      expect(breaksConnection(error)).toBe(false)
    },
  )

  it.each(['08006', '57P01', '25P03', '25006'])('makes the connection unusable: %s', (code) => {
    expect(breaksConnection(errorOf(code))).toBe(true)
  })

  it.each([
    ['57P01', true],
    ['57P02', true],
    ['25P03', true],
    ['08006', false],
    ['57014', false],
  ])('shows whether its statement was certainly not executed: %s, %s', (code, expected) => {
    expect(isNotExecuted(errorOf(code))).toBe(expected)
  })

  it.each([
    ['write', true],
    ['read', false],
  ])('from the network shows whether its statement was certainly not executed: %s, %s', (syscall, expected) => {
    expect(isNotExecuted(Object.assign(new Error('ECONNRESET'), { syscall }))).toBe(expected)
  })

  it('from the network means that the connection is lost', () => {
    const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    expect(asUnavailable(lost)).toBeInstanceOf(Unavailable)
    expect(breaksConnection(lost)).toBe(true)
  })

  it('that is a programming mistake is returned unchanged', () => {
    const mistake = new TypeError('not a function')
    expect(asUnavailable(mistake)).toBe(mistake)
    expect(breaksConnection(mistake)).toBe(false)
  })
})
