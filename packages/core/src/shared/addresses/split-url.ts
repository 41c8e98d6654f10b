/** The parts of a URL. Each keeps its delimiters, so that the parts in a row are the URL. */
export interface UrlParts {
  /** The scheme with its slashes, for example `postgres://`. */
  readonly scheme: string
  /** User and password with their `@`, or nothing. Secret: never shown. */
  readonly credentials: string
  /** The host with its port. PostgreSQL takes several, separated by commas. */
  readonly hosts: string
  readonly path: string
  /** May contain secrets too, such as `?password=`. */
  readonly parameters: string
}

/** The advice for a URL that `splitUrl` does not read because of its password. */
export const percentEncodeAdvice = 'percent-encode the password: / is written %2F, ? is %3F, # is %23, and @ is %40'

/**
 * Reads a URL with an authority. Everything before the last `@` is user and password, so that no part of a password is shown as the
 * host. Returns `unencoded` for `/`, `?` or `#` in it, because readers of URLs disagree about such a host.
 */
export const splitUrl = (text: string): UrlParts | 'unencoded' | undefined => {
  const parts = /^(?<scheme>[a-z][a-z0-9+.-]*:\/\/)(?<credentials>.*@)?(?<hosts>[^/?#]*)(?<path>[^?#]*)(?<parameters>.*)$/is.exec(
    text,
  )
  if (parts?.groups === undefined) return undefined
  const { scheme = '', credentials = '', hosts = '', path = '', parameters = '' } = parts.groups
  return /[/?#]/.test(credentials) ? 'unencoded' : { scheme, credentials, hosts, path, parameters }
}
