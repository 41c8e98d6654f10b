import type { Session } from '@countersign/core/storage'
import { aSession } from '@countersign/core/testing'
import type { OpenCountersign } from '@countersign/server'

/** Opens a session that was opened by password an hour ago, so that the session is not fresh. */
export const openOlderSession = async ({ storage }: Pick<OpenCountersign, 'storage'>, userId: number): Promise<Session> => {
  const now = Date.now()
  const session = { ...aSession({ userId, createdAt: now - 3_600_000 }), refreshExpiresAt: now + 3_600_000 }
  await storage.sessions.open(session)
  return session
}
