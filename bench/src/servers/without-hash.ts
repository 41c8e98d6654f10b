import { registerHooks } from 'node:module'
import { setTimeout } from 'node:timers/promises'

// Loaded before a server, stands in for the library that hashes: every password is right, at once or after a rest. What such
// a server costs for a login is everything but the hash.

/** How long the rest is that stands for a hash. */
const milliseconds = Number(process.env['HASH_MILLISECONDS'] ?? 0)

export const verify = async (): Promise<boolean> => {
  if (milliseconds > 0) await setTimeout(milliseconds)
  return true
}

export const hash = (): never => {
  throw new Error('there is no hash here')
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@node-rs/argon2' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
})
