import type { IdentityStores } from '../../identity/stores.ts'
import type { OnProbation, StartedVouching, VouchingPort } from '../../identity/trust/vouching-port.ts'
import { hours } from '../../shared/clock.ts'
import { notifyDevices } from '../confirmations/notify-devices.ts'
import type { ConfirmationDeps } from '../deps.ts'
import type { ApprovalStores } from '../stores.ts'
import { ableToVouch } from './able-to-vouch.ts'
import { newVouching } from './new-vouching.ts'
import { noRestarts } from './restarts.ts'

/** The most vouchings that registrations in live sessions of a user start in a day, so that a thief cannot send more. */
const STARTS_PER_DAY = 3

export const confirmationVouching = (deps: ConfirmationDeps): VouchingPort => ({
  // The transaction of the storage has the stores of every part.
  onProbation: (added, tx) => startVouching(deps, added, tx as IdentityStores & ApprovalStores),
  announce: ({ confirmationId }) => {
    deps.background.run(async () => {
      const confirmation = await deps.storage.confirmations.byId(confirmationId)
      if (confirmation !== undefined) await notifyDevices(deps, confirmation)
    })
  },
})

/** Records the registration, and starts a vouching if a trusted device, or a trusted passkey if passkeys approve, can decide. */
const startVouching = async (
  deps: ConfirmationDeps,
  added: OnProbation,
  tx: IdentityStores & ApprovalStores,
): Promise<StartedVouching | undefined> => {
  const { userId, kind, id: subjectId, registeredBy, tenants, now } = added
  const able = await ableToVouch(deps, tx, added)
  const canStart =
    able.length > 0 && (await tx.vouchings.startedByRegistrations(userId, now - hours(24), tenants)) < STARTS_PER_DAY
  if (!canStart) {
    const record = { userId, kind, subjectId, registeredBy, confirmationId: null, startedByRegistration: false, createdAt: now }
    await tx.vouchings.put({ ...record, ...noRestarts })
    return undefined
  }
  const { confirmation, matchNumber } = await newVouching(deps, tx, { ...added, ...noRestarts, startedByRegistration: true })
  const session = await tx.sessions.byId(registeredBy)
  const isApprover = able.some(({ id }) => id === session?.deviceId || (id === session?.passkeyId && session.userVerified))
  return { confirmationId: confirmation.id, matchNumber: isApprover ? null : matchNumber }
}
