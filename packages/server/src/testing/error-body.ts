import type { AuthenticationErrorCode } from '@countersign/contract'

/** The messages that belong to one code each. A message of status 400 names its fields instead. */
const codeOfMessage: Readonly<Record<string, AuthenticationErrorCode>> = {
  'Invalid or expired token': 'invalid_access_token',
  'Invalid passkey': 'invalid_passkey',
  'Passkey registration not found': 'passkey_registration_not_found',
  'Passkey registration expired or already used': 'passkey_registration_gone',
  'Passkey already registered': 'passkey_already_registered',
  'Request body too large': 'payload_too_large',
  'Request body must be application/json': 'unsupported_media_type',
}

/** Returns the whole error body that the authentication service sends with a message. */
export const errorBodyOf = (statusCode: number, message: string) => {
  if (statusCode !== 400) return { message, statusCode, code: codeOfMessage[message] }
  const details = Object.fromEntries(
    message.split('; ').map((part) => {
      const end = part.indexOf(': ')
      return [part.slice(0, end), part.slice(end + 2)]
    }),
  )
  return { message, statusCode, code: 'invalid_input', details }
}
