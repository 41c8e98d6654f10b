import { base64Takes, fromAnyBase64 } from '../../shared/crypto/base64.ts'
import { Invalid } from '../../shared/errors.ts'

/** Decodes a signature from base64 or base64url. @throws Invalid if the text is neither */
export const checkedSignature = (signedChallenge: string): Uint8Array => {
  const signature = fromAnyBase64(signedChallenge)
  if (signature === undefined) throw new Invalid({ signedChallenge: `must be a signature in ${base64Takes(signedChallenge)}` })
  return signature
}
