import { createPublicKey } from 'node:crypto'
import { openRegistration } from '../../identity/devices/sealed-registration.ts'
import { realTime, toIsoTimestamp } from '../../shared/clock.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { storedPoint } from '../../shared/crypto/device-key.ts'
import { statementOf } from '../confirmations/statement.ts'
import type { ApprovalReading } from '../deps.ts'
import type { ReceiptIssue, ReceiptIssuer } from '../receipt-issuer.ts'
import { ReceiptUnavailable } from '../receipt-keys/errors.ts'
import type { ReceiptKeys } from '../receipt-keys/published-keys.ts'
import type { Confirmation, Evidence } from '../records/confirmation.ts'
import { receiptSignature } from './p1363.ts'
import { saltOf } from './salts.ts'
import { type Disclosure, signReceipt } from './sign-receipt.ts'

type Stores = NonNullable<ReceiptIssue['stores']>

const MILLISECONDS = 1000

/** The public key of a device as a JWK, with the required members of its type. */
const deviceJwk = ({ publicKey, algorithm }: Pick<Evidence, 'publicKey' | 'algorithm'>) => {
  // Exporting the key from OpenSSL takes longer than signing the receipt.
  const point = algorithm === 'ES256' ? storedPoint(publicKey) : undefined
  if (point !== undefined) return { kty: 'EC', crv: 'P-256', x: toBase64Url(point.x), y: toBase64Url(point.y) }
  const { kty, crv, x, y, n, e } = createPublicKey(publicKey).export({ format: 'jwk' })
  return kty === 'EC' ? { kty, crv, x, y } : { kty, n, e }
}

const signerClaims = (id: string, { algorithm: alg, signature, over, assertion, publicKey }: Evidence) => {
  const value = receiptSignature({ signature, algorithm: alg })
  const device = { id, jwk: deviceJwk({ publicKey, algorithm: alg }), assurance: 'unattested' }
  if (assertion === null) return { signature: { alg, value, over }, device }
  const { authenticatorData, clientDataJSON, origin, rpId } = assertion
  return { signature: { alg, value, authenticatorData, clientDataJSON, origin }, device: { kind: 'passkey', ...device, rpId } }
}

/** The proof of possession of the device's registration. Passkeys have none. */
const registrationOf = async (deps: ApprovalReading, { devices }: Stores, { userId, deviceId }: Confirmation) => {
  const stored = deviceId === null ? undefined : await devices.evidenceOf(userId, deviceId)
  if (stored === undefined) return undefined
  const { challenge, nonce, text, algorithm, signature, over, registeredAt } = openRegistration(deps, stored)
  const value = receiptSignature({ signature, algorithm })
  return { challenge, nonce, text, alg: algorithm, value, over, registeredAt: toIsoTimestamp(registeredAt) }
}

/** The name of the person, which only the issuer vouches for. Missing for a deleted user. */
const approverOf = async ({ users }: Stores, { userId }: Confirmation) => {
  const user = await users.byId(userId)
  return user && { email: user.email, name: user.name }
}

/**
 * Makes the issuer of receipts: SD-JWTs that disclose the statement, the registration of the device, and the approver. Without the
 * statement, a receipt reveals nothing of the action: the nonce in the challenge has 512 random bits, so nobody can guess the
 * statement. The issuer throws ReceiptUnavailable, ReceiptsUnavailable and FieldNotOpened.
 */
export const receiptIssuer =
  (
    deps: ApprovalReading,
    { keys, config }: { readonly keys: ReceiptKeys; readonly config: { readonly issuer: string } },
  ): ReceiptIssuer =>
  async (confirmation, { issuedAt, stores = deps.storage }) => {
    const { id, evidence, expiresAt, challenge } = confirmation
    const signerId = confirmation.deviceId ?? confirmation.passkeyId
    if (evidence === null || signerId === null) throw new ReceiptUnavailable()
    // A process with other encryption keys fails here, before it publishes a receipt key of its own.
    const { nonce, text, statement } = await statementOf(deps, stores, confirmation)
    const [registration, approver] = await Promise.all([
      registrationOf(deps, stores, confirmation),
      approverOf(stores, confirmation),
    ])
    const values = { statement: { nonce, text }, registration, approver }
    const disclosures: Disclosure[] = Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ({ salt: saltOf(deps.encryptionKeys, { confirmationId: id, nonce, name }), name, value }))
    // A real time, because other parties compare it with their own clocks.
    const realIssue = realTime(deps.clock, issuedAt)
    const { key, activeFrom } = await keys.signing(realIssue, stores.receiptKeys)
    const { approvedAt } = evidence
    const claims = {
      // The name that the device signed. A host that configured receipts later signed none.
      iss: statement.iss ?? config.issuer,
      // A verifier refuses a receipt that was issued before the approval, or before the key was published. The clock of this server
      // may be behind the clock of the server that approved.
      iat: Math.floor(Math.max(realIssue, approvedAt, activeFrom) / MILLISECONDS),
      jti: id,
      confirmation: { id, approvedAt: toIsoTimestamp(approvedAt), expiresAt: toIsoTimestamp(expiresAt), challenge },
      ...signerClaims(signerId, evidence),
    }
    return signReceipt(key, claims, disclosures)
  }
