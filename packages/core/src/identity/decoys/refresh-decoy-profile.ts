import type { IdentityDeps } from '../deps.ts'
import { LEAST_USERS_OF_FORM, PROFILE_PERIOD } from './decoy-profile.ts'

/**
 * Takes a new decoy profile where the newest profile is older than one period. Of several concurrent processes, one stores its
 * profile.
 */
export const refreshDecoyProfile = async ({ storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>): Promise<void> => {
  const takenAt = clock.now()
  const [newest] = await storage.decoyProfiles.newest()
  if (newest !== undefined && takenAt < newest.takenAt + PROFILE_PERIOD) return
  const counts = await storage.decoyProfiles.count(LEAST_USERS_OF_FORM)
  await storage.decoyProfiles.keep({ number: (newest?.number ?? 0) + 1, takenAt, counts })
}
