import type { approvalOperations } from '../../operations/approvals.ts'
import type { Examples } from './example.ts'
import { challenge, deviceId, noon, signature, sixMinutesLater } from './values.ts'

const confirmationId = 'conf_7f1b0a3e-52a9-4f0e-8b8a-3f7d1c2e9d33'
/** The beginning and end of a receipt. */
const receipt = 'eyJhbGciOiJFZDI1NTE5IiwidHlwIjoiY291bnRlcnNpZ24tcmVjZWlwdCtzZC1qd3QifQ.e30.c2lnbmF0dXJl~WyJzYWx0Il0~'
const payment = { amount: 1250, currency: 'EUR', recipient: "Ada's Workshop" }

export const approvalExamples: Examples<keyof typeof approvalOperations> = {
  'confirmations.initiate': {
    input: { actionType: 'payment_approval', actionPayload: payment },
    output: { confirmationId, challenge, expiresAt: sixMinutesLater },
  },
  'confirmations.pending': {
    input: {},
    output: {
      confirmations: [
        {
          confirmationId,
          userId: 7,
          actionType: 'payment_approval',
          actionPayload: payment,
          challenge,
          nonce: challenge,
          requestedFrom: { address: '203.0.113.7', userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', at: noon },
          numberMatching: false,
          statementVersion: 1,
          actionTypeVersion: null,
          display: null,
          createdAt: noon,
          expiresAt: sixMinutesLater,
        },
      ],
    },
  },
  'confirmations.status': {
    input: { confirmationId },
    output: {
      confirmationId,
      status: 'pending',
      actionType: 'payment_approval',
      actionPayload: payment,
      createdAt: noon,
      expiresAt: sixMinutesLater,
      updatedAt: noon,
    },
  },
  'confirmations.verify': {
    input: { confirmationId, deviceId, signedChallenge: signature },
    output: { success: true, confirmationId, status: 'approved' },
  },
  'devices.vouch': {
    input: { deviceId },
    output: { confirmationId, matchNumber: '07', expiresAt: sixMinutesLater },
  },
  'confirmations.receipt': {
    input: { confirmationId },
    output: { receipt: 'eyJhbGciOiJFZDI1NTE5IiwidHlwIjoi…~WyJxWm…~' },
  },
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
  'services.initiate': {
    input: { userId: 7, actionType: 'payment_approval', actionPayload: payment, numberMatching: true },
    output: { confirmationId, expiresAt: sixMinutesLater, matchNumber: '07' },
  },
  'services.confirmation': {
    input: { confirmationId, wait: 30 },
    output: {
      confirmationId,
      userId: 7,
      status: 'approved',
      actionType: 'payment_approval',
      actionPayload: payment,
      createdAt: noon,
      expiresAt: sixMinutesLater,
      updatedAt: noon,
      approvedAt: noon,
      consumedAt: null,
      voidedAt: null,
    },
  },
  'services.receipt': { input: { confirmationId }, output: { receipt } },
  'services.redeem': {
    input: { confirmationId, userId: 7, actionType: 'payment_approval', actionPayload: payment, idempotencyKey: 'transfer-4711' },
    output: { receipt, confirmationId, consumedAt: noon },
  },
}
