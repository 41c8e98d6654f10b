import { sealedColumnsOf } from '../shared/crypto/field-encryption.ts'

/** The columns of identity with encrypted fields, by table. */
export const identityColumns = {
  challenges: ['subject'],
  devices: ['push_token'],
  passkey_push_tokens: ['push_token'],
  device_registrations: ['nonce', 'statement'],
  sessions: ['opened_from'],
  secrets: ['secret'],
} as const

export const { sealedColumn, sealedJson } = sealedColumnsOf<typeof identityColumns>()
