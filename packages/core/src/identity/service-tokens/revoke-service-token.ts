import { NothingToChange } from '../../shared/errors.ts'
import { ServiceTokenNotFound } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { ServiceToken } from '../records/service-token.ts'

/**
 * Revokes a service token. Every server refuses the token within one second.
 * @throws ServiceTokenNotFound, NothingToChange if the token was revoked before
 * @example await countersign.serviceTokens.revoke({ id: serviceToken.id })
 */
export async function revokeServiceToken(
  { storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly id: string },
): Promise<ServiceToken> {
  const revoked = await storage.serviceTokens.revoke(input.id, clock.now())
  if (revoked !== undefined) return revoked
  const isKnown = (await storage.serviceTokens.list()).some(({ id }) => id === input.id)
  throw isKnown ? new NothingToChange('The service token is revoked already') : new ServiceTokenNotFound()
}
