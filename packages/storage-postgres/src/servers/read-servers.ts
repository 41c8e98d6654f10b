import { accessSync, constants } from 'node:fs'
import { percentEncodeAdvice, splitUrl } from '@countersign/core/storage'
import { OperatorError } from '../operator-error.ts'

/** The kind of server that may be used (libpq, "target_session_attrs"). */
export type SessionAttributes = 'any' | 'read-write' | 'primary'

/** The servers of a URL in the order in which they are tried. Each has a URL of its own for the driver. */
export interface Servers {
  readonly urls: readonly string[]
  readonly attributes: SessionAttributes
  /** The hosts and the database name, without user, password and parameters, so that they can be displayed. */
  readonly place: string
}

const SCHEME = /^postgres(?:ql)?:\/\/$/
const ATTRIBUTES: readonly string[] = ['any', 'read-write', 'primary'] satisfies SessionAttributes[]
/** The modes of libpq, and `no-verify` of the driver. */
const ENCRYPTIONS: readonly string[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
/** The driver treats each of these modes as `verify-full`. Writing it out avoids the driver's warning. */
const VERIFYING = new Set(['prefer', 'require', 'verify-ca'])

const attributesOf = (given: string | null, servers: number): SessionAttributes => {
  // With several servers, the default is the one that accepts writes, because a standby is of no use here.
  if (given === null) return servers > 1 ? 'read-write' : 'any'
  if (!ATTRIBUTES.includes(given)) throw new OperatorError(`target_session_attrs must be one of ${ATTRIBUTES.join(', ')}`)
  return given as SessionAttributes
}

/** Reads the parameter `host`. It may name several hosts, with one port for all or one for each. */
const hostsOf = (authority: string, parameters: URLSearchParams): readonly string[] => {
  const names = parameters.get('host')?.split(',')
  if (names === undefined) return authority.split(',')
  const ports = parameters.get('port')?.split(',') ?? []
  if (ports.length > 1 && ports.length !== names.length)
    throw new OperatorError('its URL must have one port for all hosts, or one for each')
  parameters.delete('host')
  parameters.delete('port')
  return names.map((name, index) => {
    const port = ports.length > 1 ? ports[index] : ports[0]
    const host = name.includes(':') && !name.startsWith('[') ? `[${name}]` : encodeURIComponent(name)
    return port === undefined ? host : `${host}:${port}`
  })
}

/** The parameters that name files, which the driver reads when it connects. */
const FILES = ['sslrootcert', 'sslcert', 'sslkey']

/** The sentence for each code of a file that cannot be read. */
const whyNotRead: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read by this user',
}

const checkFiles = (parameters: URLSearchParams): void => {
  for (const name of FILES) {
    const path = parameters.get(name)
    if (!path || path === 'system') continue
    try {
      accessSync(path, constants.R_OK)
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
      throw new OperatorError(`the file of ${name} ${whyNotRead[code] ?? 'cannot be read'} (${code})`, { cause })
    }
  }
}

/**
 * Reads `postgres://user:password@host:port/database?…` as libpq does, including several hosts. In contrast to libpq, every
 * `sslmode` with encryption also verifies certificate and host name, unless `uselibpqcompat=true` is set. @throws OperatorError
 */
export const readServers = (url: string): Servers => {
  const parts = splitUrl(url)
  if (parts === 'unencoded') throw new OperatorError(percentEncodeAdvice)
  if (parts === undefined || !SCHEME.test(parts.scheme) || parts.parameters.includes('#'))
    throw new OperatorError('its URL must be postgres://<user>:<password>@<host>/<database>')
  const { scheme, credentials, hosts: authority, path } = parts
  const parameters = new URLSearchParams(parts.parameters)
  const hosts = hostsOf(authority, parameters)
  if (!hosts.every((host) => host === '' || URL.canParse(`${scheme}${host}`)))
    throw new OperatorError('its URL names a host that is none')
  const attributes = attributesOf(parameters.get('target_session_attrs'), hosts.length)
  const encryption = parameters.get('sslmode')
  if (encryption !== null && !ENCRYPTIONS.includes(encryption))
    throw new OperatorError(`sslmode must be one of ${ENCRYPTIONS.join(', ')}`)
  if (VERIFYING.has(encryption ?? '') && parameters.get('uselibpqcompat') !== 'true') parameters.set('sslmode', 'verify-full')
  checkFiles(parameters)
  parameters.delete('target_session_attrs')
  const query = parameters.size === 0 ? '' : `?${parameters}`
  return {
    urls: hosts.map((host) => `${scheme}${credentials}${host}${path}${query}`),
    attributes,
    place: `${hosts.join(',')}${path}`,
  }
}

/** Returns whether a server in this state matches `target_session_attrs`. */
export const isWanted = (
  attributes: SessionAttributes,
  state: { readonly standby: boolean; readonly readOnly: boolean },
): boolean => attributes === 'any' || (attributes === 'primary' ? !state.standby : !state.readOnly)
