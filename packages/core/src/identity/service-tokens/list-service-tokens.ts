import type { IdentityDeps } from '../deps.ts'
import type { ServiceToken } from '../records/service-token.ts'

/** Returns all service tokens, newest first, without the tokens themselves. */
export async function listServiceTokens({ storage }: Pick<IdentityDeps, 'storage'>): Promise<readonly ServiceToken[]> {
  return storage.serviceTokens.list()
}
