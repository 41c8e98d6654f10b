import { Invalid } from '../../shared/errors.ts'
import { isExactAssertion, readAttestationObject } from './authenticator-data.ts'
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

/** Checks the format of a created credential. A malformed one came from no authenticator, and costs no attempt. @throws Invalid */
export const requireCreationForm = ({ clientDataJSON, attestationObject }: CreatedCredential): void => {
  const object = readAttestationObject(Buffer.from(attestationObject, 'base64url'))
  requireForm([
    clientDataForm(clientDataJSON),
    ['attestationObject', object !== undefined, 'must be an attestation object in canonical CBOR'],
  ])
}

/** Checks the format of an asserted credential, but not its signature. Errors name its place `within` the input. @throws Invalid */
export const requireAssertionForm = ({ clientDataJSON, authenticatorData }: AssertedCredential, within?: string): void =>
  requireForm(
    [
      clientDataForm(clientDataJSON),
      ['authenticatorData', isExactAssertion(Buffer.from(authenticatorData, 'base64url')), 'must be exactly authenticator data'],
    ],
    within,
  )
