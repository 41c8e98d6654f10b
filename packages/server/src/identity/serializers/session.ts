import type { Output } from '@countersign/contract'
import { type OwnSession, toIsoTimestamp } from '@countersign/core'

/** Neither the ids of tokens nor expiries are told. */
export const serializeOwnSession = (session: OwnSession): Output<'sessions.list'>['sessions'][number] => ({
  id: session.id,
  current: session.current,
  kind: session.kind,
  authMethod: session.authMethod,
  deviceId: session.deviceId,
  createdAt: toIsoTimestamp(session.createdAt),
  lastUsedAt: toIsoTimestamp(session.lastUsedAt),
  address: session.address,
  userAgent: session.userAgent,
})
