import { reaches } from '../../identity/records/bound.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import type { IdentityStores } from '../../identity/stores.ts'
import type { OnProbation } from '../../identity/trust/vouching-port.ts'
import { errorOf } from '../../shared/errors.ts'
import type { ConfirmationDeps } from '../deps.ts'

/** The user has no trusted device, and no trusted passkey that approves, which could vouch. */
export class NoTrustedDevice extends errorOf('no_trusted_device') {}

/** Returns the trusted devices and, if passkeys approve, passkeys that could vouch; a bound one only for the same bound. */
export const ableToVouch = async (
  { options }: ConfirmationDeps,
  tx: Pick<IdentityStores, 'devices' | 'passkeys'>,
  { userId, tenants, now }: Pick<OnProbation, 'userId' | 'tenants' | 'now'>,
) => {
  const passkeys = options.passkeyApprovals ? await tx.passkeys.allOfUser(userId) : []
  const signers = [...(await tx.devices.allOfUser(userId)), ...passkeys]
  return signers.filter((signer) => isTrusted(signer, now) && reaches(signer.tenants, tenants))
}
