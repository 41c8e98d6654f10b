import { Unauthenticated } from '@countersign/core'
import type { RequestHeaders } from './http-request.ts'

/** `Bearer`, in any case (RFC 9110 §11.1), spaces, and a `b64token` (RFC 6750 §2.1). */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** Returns the token of `Authorization: Bearer …`. @throws Unauthenticated if the header is missing or malformed */
export const bearerToken = (headers: RequestHeaders): string => {
  const token = BEARER.exec(headers.get('authorization') ?? '')?.[1]
  if (token === undefined) throw new Unauthenticated()
  return token
}
