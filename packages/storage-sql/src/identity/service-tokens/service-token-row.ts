import type { ServiceToken } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { parseTexts } from '../../shared/json-texts.ts'
import type { ServiceTokensTable } from '../../tables/index.ts'

export const serviceTokenColumns = ['id', 'service', 'scopes', 'within', 'created_at', 'expires_at', 'revoked_at'] as const

export const toServiceToken = (row: Selectable<ServiceTokensTable>): ServiceToken => ({
  id: row.id,
  service: row.service,
  scopes: parseTexts(row.scopes),
  within: parseTexts(row.within),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
})
