import type { OperationName } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { checkInput } from './check-input.ts'
import { Invalid } from './errors.ts'

/** Returns the error, or the accepted input. */
const outcomeOf = (operation: OperationName, input: unknown): unknown => {
  try {
    return checkInput(operation, input)
  } catch (error) {
    return error
  }
}

describe('an invalid input', () => {
  it('is refused with a message for every wrong field', () => {
    expect(outcomeOf('mobile.finishLogin', { sessionId: 7, rememberMe: 'yes' })).toStrictEqual(
      new Invalid({
        sessionId: 'must be a UUID',
        signedChallenge: 'must be a signature in base64 or base64url',
        rememberMe: 'must be true or false',
      }),
    )
  })

  it('is refused with one message that lists each field', () => {
    expect(outcomeOf('auth.login', { email: null })).toMatchObject({
      message: 'email: must be an email address; password: must be text of 1 to 1024 characters',
    })
  })

  it('is refused with the path of a nested member', () => {
    const input = { name: 'A bridge', customerId: 'x', contractValue: 1, currency: 'EUR', participantIds: ['1', '2', 7] }
    expect(outcomeOf('projects.create', input)).toMatchObject({
      fields: { 'participantIds[2]': 'must be an id' },
    })
  })

  it('is refused with the path of a member of a credential', () => {
    const credential = { id: 7, rawId: 'A', type: 'password', response: { clientDataJSON: [], transports: ['<b>'] } }
    expect(outcomeOf('passkeys.finishRegistration', { challengeId: 'x', credential })).toStrictEqual(
      new Invalid({
        challengeId: 'must be a UUID',
        'credential.id': 'must be a credential id in base64 or base64url',
        'credential.type': 'must be public-key',
        'credential.response.clientDataJSON': 'must be client data in base64 or base64url',
        'credential.response.attestationObject': 'must be an attestation object in base64 or base64url',
        'credential.response.transports[0]': 'must be a transport such as internal, hybrid or usb',
      }),
    )
  })

  it.each([null, undefined, 'text', 7, true, []])('is refused as a whole, under the field body, when it is %j', (input) => {
    expect(outcomeOf('auth.login', input)).toMatchObject({ fields: { body: expect.any(String) } })
  })
})

describe('a valid input', () => {
  it('is returned without unknown members', () => {
    const input = {
      email: 'ada@example.test',
      password: 'secret',
      userId: 7,
      permissions: ['*.*'],
      caller: {},
    }
    expect(checkInput('auth.login', input)).toStrictEqual({ email: 'ada@example.test', password: 'secret' })
  })

  it('is returned without optional members that are null', () => {
    const input = { email: 'ada@example.test', password: 'secret', rememberMe: null }
    expect(checkInput('auth.login', input)).toStrictEqual({ email: 'ada@example.test', password: 'secret' })
    expect(checkInput('projects.update', { uniqueCode: 'x', name: null, description: null })).toStrictEqual({
      uniqueCode: 'x',
      description: null,
    })
  })

  it('cannot change a prototype by its member names', () => {
    const input = JSON.parse(
      '{"email":"a@b.test","password":"secret","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    )
    expect(checkInput('auth.login', input)).toStrictEqual({ email: 'a@b.test', password: 'secret' })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('is returned with ids in lower case', () => {
    const deviceId = '0000000A-0000-4000-8000-00000000000F'
    expect(checkInput('devices.remove', { deviceId })).toStrictEqual({ deviceId: deviceId.toLowerCase() })
  })

  it('is not trimmed or converted', () => {
    const input = { email: ' Ada@example.test ', password: ' secret ' }
    expect(checkInput('auth.login', input)).toStrictEqual(input)
    expect(outcomeOf('auth.login', { ...input, rememberMe: 'true' })).toMatchObject({
      fields: { rememberMe: 'must be true or false' },
    })
    expect(outcomeOf('auth.login', { ...input, email: 7 })).toMatchObject({ fields: { email: 'must be an email address' } })
  })
})
