import { type Caller, type Countersign, Unauthenticated } from '@countersign/core'

/** Who sends this `Authorization` header; `undefined` where it is nobody who is signed in now. */
export const callerOf = async ({ auth }: Pick<Countersign, 'auth'>, header: string | undefined): Promise<Caller | undefined> => {
  const token = /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
  if (token === undefined) return undefined
  try {
    return await auth.authenticate({ token })
  } catch (error) {
    // A database that is away must not pass for a bad token.
    if (error instanceof Unauthenticated) return undefined
    throw error
  }
}
