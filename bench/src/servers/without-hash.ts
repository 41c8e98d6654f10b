import { registerHooks } from 'node:module'
import { setTimeout } from 'node:timers/promises'

// Node loads this module before a server. It replaces the argon2 library: every password is right, immediately or after a
// rest. The
// server then shows the cost of a login without its hash.

/** The rest in place of a hash. */
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
