import { describe, expect, it } from 'vitest'
import { checkAddress, checkChoice, checkText, checkToken, checkUserAgent } from '../shared/check-input.ts'
import {
  checkCaller,
  checkCallerInSession,
  checkCallerOrAdmin,
  checkCallerWithEmail,
  checkCallerWithPermissions,
  checkRequester,
  checkService,
} from './host-field-checks.ts'

const caller = { userId: 1, sessionId: 's', email: 'ada@example.test', permissions: ['project.read'] }
const service = { name: 'payments', scopes: [] }

describe('a field of the host', () => {
  it.each([
    ['checkCaller', checkCaller, [{ userId: 1 }, caller]],
    ['checkCallerInSession', checkCallerInSession, [{ userId: 1, sessionId: 's' }]],
    ['checkRequester', checkRequester, [{ userId: 1 }, { userId: 1, sessionId: 's' }]],
    ['checkCallerWithEmail', checkCallerWithEmail, [caller]],
    ['checkCallerWithPermissions', checkCallerWithPermissions, [{ userId: 1, permissions: [] }]],
    ['checkService', checkService, [service]],
    ['checkCallerOrAdmin', checkCallerOrAdmin, ['admin', { userId: 1, permissions: [] }]],
    ['checkToken', checkToken, ['', 'token']],
    ['checkText', checkText, ['', 'text']],
    ['checkAddress', checkAddress, [undefined, '203.0.113.7']],
    ['checkChoice', checkChoice, [undefined, true, false]],
    ['checkUserAgent', checkUserAgent, [undefined, '', 'curl/8']],
  ])('is accepted by %s', (_, check, values: readonly unknown[]) => {
    for (const value of values) expect(check(value)).toBeUndefined()
  })

  it.each([
    ['checkCaller', checkCaller, [undefined, null, 'ada', {}, { userId: '1' }, { userId: 1.5 }]],
    ['checkCallerInSession', checkCallerInSession, [{ userId: 1 }, { userId: 1, sessionId: 2 }, { sessionId: 's' }]],
    ['checkRequester', checkRequester, [{ userId: 1, sessionId: null }, { sessionId: 's' }]],
    [
      'checkCallerWithEmail',
      checkCallerWithEmail,
      [
        { ...caller, email: null },
        { ...caller, sessionId: undefined },
      ],
    ],
    ['checkCallerWithPermissions', checkCallerWithPermissions, [{ userId: 1 }, { permissions: [] }]],
    ['checkService', checkService, [undefined, { name: 'payments' }, { scopes: [] }]],
    ['checkCallerOrAdmin', checkCallerOrAdmin, ['administrator', undefined, { userId: 1 }]],
    ['checkToken', checkToken, [undefined, null, 1]],
    ['checkText', checkText, [undefined, null, 1]],
    ['checkAddress', checkAddress, ['', null, 1]],
    ['checkChoice', checkChoice, [null, 'true', 1]],
    ['checkUserAgent', checkUserAgent, [null, 1, {}]],
  ])('is refused by %s, without the value', (_, check, values: readonly unknown[]) => {
    for (const value of values) expect(check(value)).toMatch(/^must be (?:who|the|text|true|a token)/)
  })
})
