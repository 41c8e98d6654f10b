import type { IdentityDeps } from '../deps.ts'
import { SessionNotFound } from './errors.ts'
import { type SessionProfile, toSessionProfile } from './session-profile.ts'

/** Ends a session by its id. A session that has already ended stays unchanged. @throws SessionNotFound */
export const revokeSession = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  input: { readonly id: string },
): Promise<SessionProfile> => {
  const { storage, clock } = deps
  await storage.sessions.end(input.id, 'revoked', clock.now())
  const session = await storage.sessions.byId(input.id)
  if (session === undefined) throw new SessionNotFound()
  return toSessionProfile(deps, session)
}
