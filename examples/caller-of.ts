import { type Caller, type Countersign, errors } from '@countersign/core'

/** Returns the caller of an `Authorization` header; `undefined` if nobody is signed in. */
export const callerOf = async ({ auth }: Pick<Countersign, 'auth'>, header: string | undefined): Promise<Caller | undefined> => {
  const token = /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
  if (token === undefined) return undefined
  try {
    return await auth.authenticate({ token })
  } catch (error) {
    // An unreachable database must not look like a bad token.
    if (error instanceof errors.Unauthenticated) return undefined
    throw error
  }
}
