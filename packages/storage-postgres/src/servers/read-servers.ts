import { OperatorError } from '../operator-error.ts'

/** What a session must be like to be used (libpq, "target_session_attrs"). */
export type SessionAttributes = 'any' | 'read-write' | 'primary'

/** The servers of a URL, each as a URL of its own for the driver, in the order in which they are tried. */
export interface Servers {
  readonly urls: readonly string[]
  readonly attributes: SessionAttributes
  /** Hosts and name of the database, as they may be shown: without user, password and parameters. */
  readonly place: string
}

const URL_PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^/?#]*@)?(?<hosts>[^/?#]*)(?<path>[^?#]*)(?<parameters>\?[^#]*)?$/
const ATTRIBUTES: readonly string[] = ['any', 'read-write', 'primary'] satisfies SessionAttributes[]
/** libpq's, and the driver's own `no-verify`. */
const ENCRYPTIONS: readonly string[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
/** These verify the certificate and the name of the server, as the driver does now for each of them, and say so. */
const VERIFYING = new Set(['prefer', 'require', 'verify-ca'])

const attributesOf = (given: string | null, servers: number): SessionAttributes => {
  // A standby is of no use here, so of several servers the one that can be written to is meant.
  if (given === null) return servers > 1 ? 'read-write' : 'any'
  if (!ATTRIBUTES.includes(given)) throw new OperatorError(`target_session_attrs must be one of ${ATTRIBUTES.join(', ')}`)
  return given as SessionAttributes
}

/** The hosts of the parameter `host` where it is there, which may be several, with one port for all or one for each. */
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

/**
 * Reads `postgres://user:password@host:port/database?…` as libpq does (PostgreSQL, "Connection URIs"), several hosts with
 * commas between them included. Other than with libpq, `sslmode` verifies the server's certificate and name wherever it
 * asks for encryption at all, unless `uselibpqcompat=true` is there too.
 *
 * @throws OperatorError that says what is wrong, without the URL
 */
export const readServers = (url: string): Servers => {
  const parts = URL_PARTS.exec(url)?.groups
  if (parts === undefined) throw new OperatorError('its URL must be postgres://<user>:<password>@<host>/<database>')
  const { scheme = '', user = '', hosts: authority = '', path = '' } = parts
  const parameters = new URLSearchParams(parts.parameters)
  const hosts = hostsOf(authority, parameters)
  if (!hosts.every((host) => host === '' || URL.canParse(`${scheme}${host}`)))
    throw new OperatorError('its URL names a host that is none')
  const attributes = attributesOf(parameters.get('target_session_attrs'), hosts.length)
  const encryption = parameters.get('sslmode')
  if (encryption !== null && !ENCRYPTIONS.includes(encryption))
    throw new OperatorError(`sslmode must be one of ${ENCRYPTIONS.join(', ')}`)
  if (VERIFYING.has(encryption ?? '') && parameters.get('uselibpqcompat') !== 'true') parameters.set('sslmode', 'verify-full')
  parameters.delete('target_session_attrs')
  const query = parameters.size === 0 ? '' : `?${parameters}`
  return { urls: hosts.map((host) => `${scheme}${user}${host}${path}${query}`), attributes, place: `${hosts.join(',')}${path}` }
}

/** Whether a session of the given state is one that the attributes ask for. */
export const isWanted = (
  attributes: SessionAttributes,
  state: { readonly standby: boolean; readonly readOnly: boolean },
): boolean => attributes === 'any' || (attributes === 'primary' ? !state.standby : !state.readOnly)
