import { CountersignError, type ErrorCode } from '@countersign/client-sdk'
import { describe, expect, it } from 'vitest'
import { describeFailure } from './describe-failure.ts'

const refusal = (code: ErrorCode, status: number, message: string, retryAfter?: number) =>
  new CountersignError(message, { code, status, retryAfter, body: { message, statusCode: status } })

describe('a failure in words', () => {
  it('has the message of the service, with the time to wait', () => {
    expect(describeFailure(refusal('GONE', 410, 'Action confirmation token already used'))).toBe(
      'Action confirmation token already used (410).',
    )
    expect(describeFailure(refusal('RATE_LIMITED', 429, 'Rate limit exceeded', 7))).toBe(
      'Rate limit exceeded (429). Try again in 7 s.',
    )
    expect(describeFailure(new CountersignError('The service could not be reached', { code: 'NETWORK_ERROR' }))).toBe(
      'The service could not be reached.',
    )
  })

  it('explains an error of the browser instead of naming it', () => {
    const textFor = (name: string) => describeFailure(new DOMException('See: w3.org', name))
    expect(textFor('NotAllowedError')).toMatch(/^Nothing was signed/)
    expect(textFor('TimeoutError')).toBe(textFor('NotAllowedError'))
    expect(textFor('InvalidStateError')).toContain('holds a passkey of this account already')
    expect(textFor('SecurityError')).toContain('at this address')
    expect(textFor('DataError')).toBe('See: w3.org')
  })
})
