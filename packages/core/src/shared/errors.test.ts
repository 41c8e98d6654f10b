import { describe, expect, it } from 'vitest'
import * as confirmationErrors from '../approvals/confirmations/errors.ts'
import * as userErrors from '../identity/accounts/errors.ts'
import { InsufficientTrustLevel } from '../identity/authentication/caller.ts'
import * as authErrors from '../identity/authentication/errors.ts'
import * as serviceTokenErrors from '../identity/authentication/errors.ts'
import * as sessionErrors from '../identity/authentication/errors.ts'
import * as deviceErrors from '../identity/devices/errors.ts'
import {
  Conflict,
  CountersignError,
  type ErrorKind,
  Forbidden,
  Gone,
  Invalid,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unavailable,
} from './errors.ts'

const kinds: Record<ErrorKind, CountersignError> = {
  invalid: new Invalid({ field: 'must be something' }),
  unauthenticated: new Unauthenticated(),
  forbidden: new Forbidden(),
  not_found: new NotFound('Nothing there'),
  conflict: new Conflict('It is there already'),
  gone: new Gone('It was there'),
  rate_limited: new RateLimited(1000),
  unavailable: new Unavailable(),
}

const concrete = {
  ...authErrors,
  ...confirmationErrors,
  ...deviceErrors,
  ...serviceTokenErrors,
  ...sessionErrors,
  ...userErrors,
  InsufficientTrustLevel,
}

describe('an error', () => {
  it.each(Object.entries(kinds))('of kind %s has that kind and is a CountersignError', (kind, error) => {
    expect(error).toBeInstanceOf(CountersignError)
    expect(error).toBeInstanceOf(Error)
    expect(error.kind).toBe(kind)
    expect(error.name).toBe(error.constructor.name)
    expect(error.message).not.toBe('')
  })

  it.each(Object.entries(concrete))('%s has the code of its class', (name, ErrorClass) => {
    const error = new ErrorClass(20)
    expect(error).toBeInstanceOf(CountersignError)
    expect(error.name).toBe(name)
    expect(error.code).toBe(ErrorClass.code)
    expect(error.code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(kinds).toHaveProperty(error.kind)
  })

  it('has a code that no other error has', () => {
    const codes = [...Object.values(concrete).map(({ code }) => code), ...Object.values(kinds).map(({ code }) => code)]
    expect(new Set(codes).size).toBe(codes.length)
  })

  it('has the message of the contract', () => {
    const messages = {
      'Invalid biometric token': deviceErrors.InvalidBiometricToken,
      'Device already registered for this user': deviceErrors.DeviceAlreadyRegistered,
      'Insufficient trust level': InsufficientTrustLevel,
      'Action confirmation token already used': confirmationErrors.ConfirmationUsed,
      'Action confirmation expired': confirmationErrors.ConfirmationExpired,
      'Confirmation not found': confirmationErrors.ConfirmationNotFound,
      'Device not found': deviceErrors.DeviceNotFound,
      'Invalid device signature': deviceErrors.InvalidDeviceSignature,
      'Registration challenge not found': deviceErrors.RegistrationChallengeNotFound,
      'Registration challenge expired or already used': deviceErrors.RegistrationChallengeGone,
      'The token belongs to another device': deviceErrors.OtherDevice,
      'Invalid refresh token': authErrors.InvalidRefreshToken,
      'Invalid email or password': authErrors.InvalidCredentials,
    }
    for (const [message, ErrorClass] of Object.entries(messages)) expect(new ErrorClass().message).toBe(message)
    expect(new RateLimited(1).message).toBe('Rate limit exceeded')
    expect(new deviceErrors.TooManyDevices(1).message).toBe('At most 1 devices can be registered for a user')
  })
})
