import type { IdentityDeps } from '../deps.ts'
import type { ServiceToken } from './service-token.ts'

/** Returns all service tokens, newest first, without the tokens themselves. */
export async function listServiceTokens({ storage }: Pick<IdentityDeps, 'storage'>): Promise<readonly ServiceToken[]> {
  return storage.serviceTokens.list()
}
