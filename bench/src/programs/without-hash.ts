import { registerHooks } from 'node:module'

// Node loads this module before a server. It replaces the argon2 library: the digest of a password and a salt is computed once, and
// is there immediately from then on. The server then shows the cost of a login without its hash.

type Argon2 = typeof import('@node-rs/argon2')

let library = ''
const digests = new Map<string, Promise<Buffer>>()

export const hashRaw: Argon2['hashRaw'] = (password, options, abortSignal) => {
  const key = JSON.stringify([String(password), options])
  const digest = digests.get(key) ?? import(library).then((argon2: Argon2) => argon2.hashRaw(password, options, abortSignal))
  digests.set(key, digest)
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
