/** The steps of a check, in their order. */
export const receiptSteps = ['format', 'key', 'issuer', 'claims', 'disclosure', 'statement', 'signature', 'registration'] as const

/**
 * One step of a check:
 *
 * - `format`: the receipt is a compact JWS with disclosures, in the strict form of a receipt.
 * - `key`: the caller knows the issuer's key, and the key was in use when the receipt was issued.
 * - `issuer`: the issuer signed the receipt.
 * - `claims`: the claims are complete, and agree with each other.
 * - `disclosure`: the receipt includes the hash of each disclosure.
 * - `statement`: the challenge covers the disclosed statement.
 * - `signature`: the key of the device signed the challenge.
 * - `registration`: the device proved at its registration that it holds the key.
 */
export type ReceiptStep = (typeof receiptSteps)[number]

/** The purpose of a statement. `countersign.approval.v1` is one approval of several that an action needs. */
export type StatementDomain = 'countersign.confirmation.v1' | 'countersign.approval.v1'

/** The action that the person approved, as the device signed it. */
export interface ReceiptStatement {
  readonly domain: StatementDomain
  /** The signed text, unchanged: canonical JSON (RFC 8785) of the other members. */
  readonly text: string
  readonly createdAt: string
  /** The customer, tenant or team of the host that the action belongs to. */
  readonly tenant: string | null
  /** The person who was asked: the issuer's user id, and the id in the directory of the host. */
  readonly subject: { readonly id: number; readonly externalId: string | null }
  /** The person or service that asked. A service has no id. */
  readonly requester: {
    readonly kind: 'user' | 'service'
    readonly id: number | null
    readonly externalId: string | null
    readonly name: string
  }
  /** For whom a service asked. */
  readonly onBehalfOf: string | null
  /** The context that the requester gave, such as the agent, the tool and the reason. */
  readonly context: Readonly<Record<string, string>> | null
  /** The gate or operation that the approval is for. */
  readonly operation: string | null
  readonly actionType: string
  /** The version of a registered action type; `null` for a built-in type. */
  readonly actionTypeVersion: string | null
  readonly actionPayload: Readonly<Record<string, unknown>>
  /** The words that the device signed, by language. Its screen showed one of the languages. */
  readonly display: Readonly<Record<string, ReceiptDisplay>>
  /** For one approval of several: the request, the policy that it was started under, and the number of approvals needed. */
  readonly approval?: {
    readonly id: string
    readonly policy: { readonly version: number; readonly band: number; readonly digest: string }
    readonly count: number
    /** The person for whom a delegate voted; absent if the approver holds the permission. */
    readonly delegatedBy?: { readonly id: number; readonly externalId: string | null; readonly name: string }
  }
}

export interface ReceiptDisplay {
  readonly direction: 'ltr' | 'rtl'
  readonly title: string
  /** `lead` is present on the lines that the screen showed first and largest. */
  readonly lines: readonly { readonly label: string; readonly value: string; readonly lead?: true | undefined }[]
}

/** A receipt that the issuer signed, and whose disclosed parts agree with the signatures. Times are ISO 8601 UTC timestamps. */
export interface CheckedReceipt {
  /** `genuine`: every step was checked. `partial`: the parts in `unchecked` were not disclosed. */
  readonly verdict: 'genuine' | 'partial'
  readonly unchecked: readonly ('statement' | 'registration')[]
  readonly issuer: string
  readonly issuedAt: string
  /** The issuer's key (RFC 7638 thumbprint). */
  readonly kid: string
  readonly confirmation: {
    readonly id: string
    readonly approvedAt: string
    readonly expiresAt: string
    readonly challenge: string
  }
  /** The device whose key signed, with the RFC 7638 thumbprint of the key. No manufacturer attested the key. */
  readonly device: {
    /** Present for a passkey; absent for a device. */
    readonly kind?: 'passkey'
    /** The relying party of the passkey. */
    readonly rpId?: string
    /** The origin of the page on which the passkey approved, as its browser wrote it. */
    readonly origin?: string
    readonly id: string
    readonly keyThumbprint: string
    readonly algorithm: string
    readonly assurance: 'unattested'
  }
  readonly statement?: ReceiptStatement
  /** A passkey without attestation proves no possession of its key at its registration. */
  readonly registration?:
    | { readonly registeredAt: string; readonly userId: number; readonly deviceFingerprint: string }
    | 'none for passkeys'
  /** The name of the person. Only the issuer's word: no signature of the device covers the name. */
  readonly approver?: { readonly email: string; readonly name: string }
  /** `absent`: the receipt came without a proof of inclusion in the issuer's log. */
  readonly inclusion: 'absent'
}

/** A receipt that proves nothing. */
export interface RefusedReceipt {
  readonly verdict: 'refused'
  readonly step: ReceiptStep
  /** Plain words for people. Never repeats text of the receipt. */
  readonly reason: string
}

export type ReceiptVerdict = CheckedReceipt | RefusedReceipt

/** Ends a check. `verifyReceipt` turns the error into a `RefusedReceipt`. */
export class Refused extends Error {
  readonly step: ReceiptStep
  constructor(step: ReceiptStep, reason: string) {
    super(reason)
    this.step = step
  }
}

/** Ends the check at a step, unless the condition holds. @throws Refused */
export function demandAt(step: ReceiptStep, condition: unknown, reason: string): asserts condition {
  if (!condition) throw new Refused(step, reason)
}

/** The function `demandAt` for one step. TypeScript narrows types by it only where a variable declares this type. */
export type Demand = (condition: unknown, reason: string) => asserts condition

export const demandOf =
  (step: ReceiptStep): Demand =>
  (condition, reason) =>
    demandAt(step, condition, reason)
