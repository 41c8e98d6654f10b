import { type CountersignError, NothingToChange } from '../../shared/errors.ts'
import type { TimedStorage } from '../base-deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import type { PushRecipient } from '../push/send-to-devices.ts'
import { type BoundToTenants, reaches } from '../records/bound.ts'
import type { Trust } from '../records/trust.ts'
import { type SignerKey, signerIdOf } from '../records/trust-store.ts'
import { type BoundCaller, boundOfCaller } from '../sessions/bound-of-caller.ts'
import { type EndingDeps, endAndUndo } from '../sessions/undo-ended-sessions.ts'
import type { IdentityStores } from '../stores.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'

/** Returns the devices or passkeys of a caller, with whether each is trusted now; of a bound caller, those with its bound. */
export const listSigners = async <T extends Trust & BoundToTenants>(
  deps: TimedStorage,
  caller: BoundCaller,
  store: { allOfUser(userId: number): Promise<readonly T[]> },
): Promise<readonly WithTrust<T>[]> => {
  const tenants = await boundOfCaller(deps, caller)
  const reached = (await store.allOfUser(caller.userId)).filter((one) => reaches(tenants, one.tenants))
  const now = deps.clock.now()
  return reached.map((one) => withTrust(one, now))
}

/** Locks a device or passkey of the user, and returns it as a recipient of messages. */
export const lockRecipient = async (
  { devices, passkeys }: IdentityStores,
  { userId, kind, id }: SignerKey,
): Promise<(PushRecipient & BoundToTenants) | undefined> => {
  if (kind === 'device') return devices.lock(userId, id)
  const passkey = await passkeys.lock(userId, id)
  const held = (await passkeys.pushTokensOf(userId)).find(({ passkeyId }) => passkeyId === id)
  return passkey && { id: held?.id ?? '', passkeyId: id, pushToken: held?.pushToken ?? null, tenants: passkey.tenants }
}

/** Names a device or passkey, with the error for one that is not there. */
interface NamedSigner extends Pick<SignerKey, 'kind' | 'id'> {
  readonly NotFound: new () => CountersignError
}

/** Removes a device or passkey, ends its sessions, and undoes their work, in one transaction. Notifies it and the other devices. */
export const removeSigner = async (deps: EndingDeps, caller: BoundCaller, { kind, id, NotFound }: NamedSigner): Promise<void> => {
  const { userId } = caller
  const tenants = await boundOfCaller(deps, caller)
  const change = `${kind}_removed` as const
  await endAndUndo(
    deps,
    caller,
    async (tx, now) => {
      const signer = await lockRecipient(tx, { userId, kind, id })
      if (signer === undefined || !reaches(tenants, signer.tenants)) throw new NotFound()
      await tx[`${kind}s`].remove(userId, id, now)
      await tx.sessions.endAll({ userId, ...signerIdOf({ kind, id }) }, change, now)
      return signer
    },
    (formerly) => notifyOfChange(deps, { userId, change, formerly }),
  )
}

/** Makes a device or passkey trusted, ends its bound, and notifies the user's devices. `read` returns it after the change. */
export const trustSigner = async <T extends Trust>(
  deps: NotifyOfChangeDeps,
  userId: number,
  { kind, id, NotFound }: NamedSigner,
  read: () => Promise<T | undefined>,
): Promise<WithTrust<T>> => {
  const now = deps.clock.now()
  const isChanged = await deps.storage.trust.makeTrusted({ userId, kind, id }, now, 'ends')
  const signer = await read()
  if (signer === undefined) throw new NotFound()
  if (!isChanged) throw new NothingToChange(`The ${kind} is trusted already`)
  notifyOfChange(deps, { userId, change: 'trust_changed' })
  return withTrust(signer, now)
}
