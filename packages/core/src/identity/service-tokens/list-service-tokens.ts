import type { IdentityDeps } from '../deps.ts'
import type { ServiceToken } from './service-token.ts'

/** Returns all service tokens, newest first, without the tokens themselves. */
export const listServiceTokens = async ({ storage }: Pick<IdentityDeps, 'storage'>): Promise<readonly ServiceToken[]> =>
  storage.serviceTokens.list()
