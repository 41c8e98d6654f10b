import { Invalid } from '../../shared/errors.ts'
import { readAttestationObject } from './attestation-object.ts'
import { isExactAssertion } from './authenticator-data.ts'
import { isClientData } from './client-data.ts'
import type { AssertedCredential, CreatedCredential } from './credential-input.ts'

type Form = readonly (readonly [member: string, isRight: boolean, takes: string])[]

const requireForm = (form: Form, within = 'credential.response.'): void => {
  const wrong = form.filter(([, isRight]) => !isRight)
  if (wrong.length === 0) return
  throw new Invalid(Object.fromEntries(wrong.map(([member, , takes]) => [`${within}${member}`, takes])))
}

const clientDataForm = (clientDataJSON: string): Form[number] => [
  'clientDataJSON',
  isClientData(clientDataJSON),
  'must be client data in JSON, with type, challenge and origin',
]

/**
 * Checks that a created credential has the format that browsers and authenticators write. A malformed credential never came
 * from an authenticator, so its error differs from a failed check, and the attempt stays available. @throws Invalid
 */
export const requireCreationForm = ({ clientDataJSON, attestationObject }: CreatedCredential): void => {
  const object = readAttestationObject(Buffer.from(attestationObject, 'base64url'))
  requireForm([
    clientDataForm(clientDataJSON),
    ['attestationObject', object !== undefined, 'must be an attestation object in canonical CBOR'],
  ])
}

/**
 * Checks the format of an asserted credential. The signature is not checked here: a malformed signature counts as a wrong
 * signature.
 *
 * @param within The place of the members in the input, for the error.
 * @throws Invalid
 */
export const requireAssertionForm = ({ clientDataJSON, authenticatorData }: AssertedCredential, within?: string): void =>
  requireForm(
    [
      clientDataForm(clientDataJSON),
      ['authenticatorData', isExactAssertion(Buffer.from(authenticatorData, 'base64url')), 'must be exactly authenticator data'],
    ],
    within,
  )
