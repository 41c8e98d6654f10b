import type { approvalOperations } from '../../operations/approvals.ts'
import { challenge, deviceId, type Examples, noon, signature, sixMinutesLater } from './example.ts'

const confirmationId = 'conf_7f1b0a3e-52a9-4f0e-8b8a-3f7d1c2e9d33'
const approvalId = 'appr_2b8e6f0a-1c3d-4e5f-8a9b-0c1d2e3f4a5b'
/** The beginning and end of a receipt. */
const receipt = 'eyJhbGciOiJFZDI1NTE5IiwidHlwIjoiY291bnRlcnNpZ24tcmVjZWlwdCtzZC1qd3QifQ.e30.c2lnbmF0dXJl~WyJzYWx0Il0~'
const payment = { amount: 1250, currency: 'EUR', recipient: "Ada's Workshop" }

const display = {
  en: {
    direction: 'ltr' as const,
    title: 'Payment',
    lines: [
      { label: 'Amount', value: '\u20681,250.00 EUR\u2069', lead: true as const },
      { label: 'Recipient', value: "\u2068Ada's Workshop\u2069", lead: true as const },
      { label: 'Asked by', value: '\u2068Ada Lovelace\u2069' },
    ],
  },
}

const withdrawn = { success: true, confirmationId, status: 'expired', withdrawnAt: noon } as const
const action = { actionType: 'payment_approval', actionPayload: payment } as const
const timedAction = { ...action, createdAt: noon, expiresAt: sixMinutesLater, updatedAt: noon }
const listed = { ...action, tenant: null, display, createdAt: noon, expiresAt: sixMinutesLater, withdrawnAt: null } as const
/** An approval request in which this many approvals count. */
const requestWith = <S extends string, W extends string | null>(approvals: number, status: S, withdrawnAt: W) => ({
  approvalId,
  status,
  approvals,
  count: 2,
  groups: [{ permission: 'payment.approve', count: 2, approvals }],
  expiresAt: sixMinutesLater,
  withdrawnAt,
})
const withdrawnRequest = requestWith(1, 'expired', noon)

export const approvalExamples: Examples<keyof typeof approvalOperations> = {
  'confirmations.initiate': { input: action, output: { confirmationId, challenge, expiresAt: sixMinutesLater } },
  'confirmations.pending': {
    input: {},
    output: {
      confirmations: [
        {
          confirmationId,
          ...action,
          challenge,
          nonce: challenge,
          statement: {
            iss: 'https://auth.example.com',
            confirmationId,
            createdAt: noon,
            expiresAt: sixMinutesLater,
            tenant: null,
            subject: { id: 7, externalId: null },
            requester: { kind: 'user', id: 7, externalId: null, name: 'Ada Lovelace' },
            onBehalfOf: null,
            context: null,
            operation: null,
            actionType: 'payment_approval',
            actionTypeVersion: null,
            actionPayload: payment,
            display,
          },
          display,
          requestedFrom: { address: '203.0.113.7', userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', at: noon },
          numberMatching: false,
          actionTypeVersion: null,
          createdAt: noon,
          expiresAt: sixMinutesLater,
        },
      ],
    },
  },
  'confirmations.list': {
    input: {},
    output: {
      confirmations: [
        {
          confirmationId,
          approvalId: null,
          status: 'approved',
          ...listed,
          updatedAt: noon,
          reason: null,
          actionTypeVersion: null,
        },
      ],
      nextCursor: null,
    },
  },
  'confirmations.status': { input: { confirmationId }, output: { confirmationId, status: 'pending', ...timedAction } },
  'confirmations.verify': {
    input: { confirmationId, deviceId, signedChallenge: signature },
    output: { success: true, confirmationId, status: 'approved' },
  },
  'devices.vouch': { input: { deviceId }, output: { confirmationId, matchNumber: '07', expiresAt: sixMinutesLater } },
  'passkeys.vouch': {
    input: { credentialId: 'kJXz1GqOJ3mB6a9C0tqkAw' },
    output: { confirmationId, matchNumber: '07', expiresAt: sixMinutesLater },
  },
  'devices.vouching': {
    input: { deviceId },
    output: { status: 'pending', matchNumber: '07', expiresAt: sixMinutesLater, triesLeft: 2 },
  },
  'passkeys.vouching': {
    input: { credentialId: 'kJXz1GqOJ3mB6a9C0tqkAw' },
    output: { status: 'none', matchNumber: null, expiresAt: null, triesLeft: 3 },
  },
  'confirmations.receipt': { input: { confirmationId }, output: { receipt: 'eyJhbGciOiJFZDI1NTE5IiwidHlwIjoi…~WyJxWm…~' } },
  'receipts.keys': {
    input: {},
    output: {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
          alg: 'Ed25519',
          use: 'sig',
          iat: 1767225600,
        },
      ],
    },
  },
  'confirmations.reject': {
    input: { confirmationId, reason: 'Not my invoice' },
    output: { success: true, confirmationId, status: 'rejected' },
  },
  'confirmations.withdraw': { input: { confirmationId }, output: withdrawn },
  'events.stream': {
    input: {},
    output: `event: read_again\ndata: {}\n\nevent: confirmation\ndata: {"id":"${confirmationId}","status":"approved"}\n\n: \n\n`,
  },
  'services.withdraw': { input: { confirmationId }, output: withdrawn },
  'services.initiate': {
    input: { userId: 7, ...action, numberMatching: true },
    output: { confirmationId, expiresAt: sixMinutesLater, matchNumber: '07' },
  },
  'services.confirmation': {
    input: { confirmationId, wait: 30 },
    output: {
      confirmationId,
      userId: 7,
      status: 'approved',
      ...timedAction,
      approvedAt: noon,
      consumedAt: null,
      voidedAt: null,
      withdrawnAt: null,
    },
  },
  'approvals.start': { input: action, output: requestWith(0, 'pending', null) },
  'approvals.list': {
    input: {},
    output: { approvals: [{ approvalId, status: 'redeemed', count: 2, ...listed }], nextCursor: null },
  },
  'approvals.read': { input: { approvalId }, output: requestWith(1, 'pending', null) },
  'approvals.withdraw': { input: { approvalId }, output: withdrawnRequest },
  'approvals.stop': { input: { approvalId, reason: 'The invoice is forged' }, output: requestWith(1, 'rejected', null) },
  'services.withdrawApproval': { input: { approvalId }, output: withdrawnRequest },
  'services.approval': { input: { approvalId }, output: requestWith(2, 'approved', null) },
  'services.redeemApproval': {
    input: { approvalId, ...action, permission: 'payment.approve', count: 2, idempotencyKey: 'transfer-4711' },
    output: {
      approvalId,
      status: 'redeemed',
      approvals: 2,
      count: 2,
      expiresAt: sixMinutesLater,
      withdrawnAt: null,
      redeemedAt: noon,
      receipts: [receipt, receipt],
    },
  },
  'services.receipt': { input: { confirmationId }, output: { receipt } },
  'services.redeem': {
    input: { confirmationId, userId: 7, ...action, idempotencyKey: 'transfer-4711' },
    output: { receipt, confirmationId, consumedAt: noon },
  },
}
