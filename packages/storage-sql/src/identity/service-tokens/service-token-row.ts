import type { ServiceToken } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { parseTexts, recordMapping } from '../../shared/record-mapping.ts'
import type { ServiceTokensTable } from '../../tables/index.ts'

export const serviceTokenMapping = recordMapping('id service scopes within createdAt expiresAt revokedAt')
export const serviceTokenColumns = serviceTokenMapping.columns

export const toServiceToken = (row: Selectable<ServiceTokensTable>): ServiceToken => ({
  ...serviceTokenMapping.toRecord(row),
  scopes: parseTexts(row.scopes),
  within: parseTexts(row.within),
})
