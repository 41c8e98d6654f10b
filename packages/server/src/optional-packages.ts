import { StartupError } from './startup-error.ts'

/** Returns the error of a failed import, which says how to install a missing package: a host installs only those that it uses. */
export const whyNotLoaded = (name: string, error: unknown): unknown => {
  const isMissing =
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') &&
    error.message.includes(`'${name}'`)
  return isMissing ? new StartupError([`the package ${name} is not installed: \`npm install ${name}\``], { cause: error }) : error
}
