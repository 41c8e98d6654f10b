import { registerHooks } from 'node:module'
import { setTimeout } from 'node:timers/promises'

// Node loads this module before a server. It replaces the argon2 library: the digest of a password and a salt is computed once,
// and is there immediately or after a rest from then on. The server then shows the cost of a login without its hash.

type Argon2 = typeof import('@node-rs/argon2')

/** The rest in place of a hash. */
const milliseconds = Number(process.env.HASH_MILLISECONDS ?? 0)

let library = ''
const digests = new Map<string, Promise<Buffer>>()

export const hashRaw: Argon2['hashRaw'] = async (password, options, abortSignal) => {
  const key = JSON.stringify([String(password), options])
  const digest = digests.get(key) ?? import(library).then((argon2: Argon2) => argon2.hashRaw(password, options, abortSignal))
  digests.set(key, digest)
  if (milliseconds > 0) await setTimeout(milliseconds)
  return digest
}

export const hash = (): never => {
  throw new Error('there is no hash here')
}

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context)
    if (specifier !== '@node-rs/argon2') return resolved
    library = resolved.url
    return { url: import.meta.url, shortCircuit: true }
  },
})
