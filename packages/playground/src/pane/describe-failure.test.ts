import { ClientError } from '@countersign/client-sdk'
import { describe, expect, it } from 'vitest'
import { ServiceUnreachable } from '../service/unreachable.ts'
import { describeFailure } from './describe-failure.ts'

const refusal = (status: number, message: string, retryAfter?: number) =>
  new ClientError(message, { status, retryAfter, body: { message, statusCode: status } })

describe('a failure in words', () => {
  it('is the service’s own where it refused, with when to come back', () => {
    expect(describeFailure(refusal(410, 'Action confirmation token already used'))).toBe(
      'Action confirmation token already used (410).',
    )
    expect(describeFailure(refusal(429, 'Rate limit exceeded', 7))).toBe('Rate limit exceeded (429). Try again in 7 s.')
    expect(describeFailure(new ServiceUnreachable('The service does not answer.'))).toBe('The service does not answer.')
  })

  it('says what the browser means, and not its name for it', () => {
    const told = (name: string) => describeFailure(new DOMException('See: w3.org', name))
    expect(told('NotAllowedError')).toMatch(/^Nothing was signed/)
    expect(told('TimeoutError')).toBe(told('NotAllowedError'))
    expect(told('InvalidStateError')).toContain('holds a passkey of this account already')
    expect(told('SecurityError')).toContain('at this address')
    expect(told('DataError')).toBe('See: w3.org')
  })
})
