import { StartupError } from './startup-error.ts'

/**
 * Returns the error for a failed import. If the package is missing, the error says how to install it. A host installs only the
 * packages of the database and the cache that it uses.
 */
export const whyNotLoaded = (name: string, error: unknown): unknown => {
  const isMissing =
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') &&
    error.message.includes(`'${name}'`)
  return isMissing ? new StartupError([`the package ${name} is not installed: \`npm install ${name}\``], { cause: error }) : error
}
