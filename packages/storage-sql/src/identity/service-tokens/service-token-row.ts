import { recordMapping } from '../../shared/record-mapping.ts'

export const {
  columns: serviceTokenColumns,
  toRecord: toServiceToken,
  toRow: fromServiceToken,
} = recordMapping('service_tokens', 'id service scopes:texts within:texts createdAt expiresAt revokedAt')
