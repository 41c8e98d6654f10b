import { randomBytes } from 'node:crypto'
import { type ActionTypeWithText, actionTypeKey } from '../../approvals/action-types/action-type.ts'
import type { ApprovalRequest } from '../../approvals/records/approval-request.ts'
import type { Confirmation, Evidence } from '../../approvals/records/confirmation.ts'
import { minutes } from '../../shared/clock.ts'
import { clockStart } from '../fake-clock.ts'
import { aChallengeText, aSealedField, uuid } from './shared.ts'

/** Returns the evidence of an approval. Its signature is random, because a storage never checks it. */
export const anEvidence = (overrides: Partial<Evidence> = {}): Evidence => ({
  signature: randomBytes(64).toString('base64url'),
  algorithm: 'ES256',
  over: 'text',
  assertion: null,
  approvedAt: clockStart,
  publicKey: '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n',
  keyThumbprint: randomBytes(32).toString('base64url'),
  ...overrides,
})

/** Returns a pending payment approval for five minutes. Its challenge is random, because a storage never checks it. */
export const aConfirmation = (overrides: Partial<Confirmation> = {}): Confirmation => {
  const createdAt = overrides.createdAt ?? clockStart
  return {
    id: `conf_${uuid()}`,
    userId: 1,
    tenant: null,
    boundTo: null,
    actionType: 'payment_approval',
    actionTypeVersion: null,
    payload: aSealedField(),
    nonce: aSealedField(),
    challenge: aChallengeText(),
    statement: aSealedField(),
    approvalId: null,
    delegatedBy: null,
    requestedFrom: aSealedField(),
    requestedBy: null,
    initiatedBy: null,
    matchNumber: null,
    wrongMatchNumbers: 0,
    status: 'pending',
    wrongSignatures: 0,
    deviceId: null,
    passkeyId: null,
    evidence: null,
    consumedAt: null,
    consumedBy: null,
    consumedKey: null,
    consumedReceipt: null,
    voidedAt: null,
    withdrawnAt: null,
    rejectReason: null,
    createdAt,
    expiresAt: createdAt + minutes(5),
    updatedAt: createdAt,
    ...overrides,
  }
}

/** Returns a pending approval request that needs two approvals. */
export const anApprovalRequest = (overrides: Partial<ApprovalRequest> = {}): ApprovalRequest => {
  const createdAt = overrides.createdAt ?? clockStart
  return {
    id: `appr_${uuid()}`,
    requestedBy: 1,
    requestedIn: null,
    tenant: null,
    boundTo: null,
    actionType: 'payment_approval',
    payload: aSealedField(),
    display: aSealedField(),
    terms: aSealedField(),
    count: 2,
    status: 'pending',
    createdAt,
    expiresAt: createdAt + minutes(5),
    redeemedAt: null,
    redeemedBy: null,
    redeemedKey: null,
    withdrawnAt: null,
    stoppedBy: null,
    stoppedAt: null,
    ...overrides,
  }
}

/** Returns an active action type whose actions have no members. */
export const anActionType = (overrides: Partial<ActionTypeWithText> = {}): ActionTypeWithText => {
  const { type = `type-${uuid()}`, version = '1.0.0' } = overrides
  return {
    key: actionTypeKey(type, version),
    type,
    version,
    title: 'A type',
    active: true,
    requiredFields: [],
    registeredAt: clockStart,
    schemaText: '{"type":"object","additionalProperties":false}',
    displayText: '{"title":{"en":"A type"},"lines":[]}',
    ...overrides,
  }
}
