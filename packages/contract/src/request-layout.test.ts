import { describe, expect, it } from 'vitest'
import { limits } from './limits.ts'
import { type Operation, type OperationName, operations } from './operations/index.ts'
import { requestLayoutOf } from './request-layout.ts'

const names = Object.keys(operations) as OperationName[]
const rowOf = (name: OperationName): Operation => operations[name]
const KIB = 1024

describe('the layout of a request', () => {
  it('has a body with a limit for every method except GET and DELETE', () => {
    for (const name of names) {
      const isRead = ['GET', 'DELETE'].includes(rowOf(name).method)
      expect([name, requestLayoutOf(name).body === undefined]).toStrictEqual([name, isRead])
    }
  })

  it('allows a request without a body if no member is required', () => {
    expect(names.filter((name) => requestLayoutOf(name).body?.isOptional)).toStrictEqual([
      'account.lock',
      'sessions.endOthers',
      'passkeys.beginRegistration',
      'passkeys.beginLogin',
      'devices.vouch',
      'passkeys.vouch',
      'confirmations.reject',
      'confirmations.withdraw',
      'services.withdraw',
      'approvals.withdraw',
      'services.withdrawApproval',
      'projects.update',
      'projects.approve',
    ])
  })

  it('names the members of the query, and the members that take a list', () => {
    expect([...requestLayoutOf('projects.countResources').query]).toStrictEqual([['resourceTypes', 'list']])
    expect([...requestLayoutOf('projects.list').query]).toStrictEqual(
      ['page', 'limit', 'search', 'sortBy', 'sortOrder', 'status', 'customerId', 'progress'].map((member) => [member, 'one']),
    )
    const withQuery = names.filter((name) => requestLayoutOf(name).query.size > 0)
    expect(withQuery).toStrictEqual([
      'sessions.list',
      'internal.verify',
      'confirmations.list',
      'services.confirmation',
      'approvals.list',
      'projects.list',
      'projects.countResources',
    ])
  })
})

describe('the limit of a body', () => {
  const bytesOf = (name: OperationName) => rowOf(name).body?.bytes ?? 0

  it('is 16 to 64 KiB for public operations', () => {
    for (const name of names.filter((one) => rowOf(one).authentication === 'none' && rowOf(one).method === 'POST')) {
      expect(bytesOf(name), name).toBeGreaterThanOrEqual(16 * KIB)
      expect(bytesOf(name), name).toBeLessThanOrEqual(64 * KIB)
    }
  })

  it('is 1 MiB only for operations on projects with products', () => {
    expect(names.filter((name) => bytesOf(name) >= limits.bodyBytes)).toStrictEqual(['projects.create', 'projects.update'])
  })
})
