import ipaddr from 'ipaddr.js'

/** IPv4 in four decimal parts, which alone has one meaning everywhere (CVE-2026-24398: octets above 255), or IPv6. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** An entry of `X-Forwarded-For`; some proxies add the port, and brackets around IPv6. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1')

/**
 * One spelling for each client that limits count: IPv4 as it is, IPv4 within IPv6 (RFC 4291 §2.5.5.2) as IPv4, and IPv6
 * by its first 64 bits, all of which one customer of a network has (CVE-2026-45364). `undefined` for anything else.
 */
export const canonicalAddress = (text: string): string | undefined => {
  const address = parse(text)
  if (address === undefined) return undefined
  if (address.kind() === 'ipv4') return address.toString()
  const [a = 0, b = 0, c = 0, d = 0] = (address as ipaddr.IPv6).parts
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`
}

/** What this many proxies of ours say of the client: each adds its peer at the end of the list (CVE-2026-27700). */
const forwardedAddress = (headers: Pick<Headers, 'get'>, proxies: number): string | undefined => {
  const entry = headers.get('x-forwarded-for')?.split(',').at(-proxies)
  return entry === undefined ? undefined : canonicalAddress(withoutPort(entry.trim()))
}

/**
 * Who asks, as limits count them.
 *
 * @param socketAddress The peer of the connection; `undefined` where the platform does not tell, and then all such
 *   clients count as one.
 * @param trustProxy How many proxies stand before this server. With 0, `X-Forwarded-For` says nothing.
 */
export const clientAddress = (headers: Pick<Headers, 'get'>, socketAddress: string | undefined, trustProxy: number): string =>
  (trustProxy > 0 ? forwardedAddress(headers, trustProxy) : undefined) ?? canonicalAddress(socketAddress ?? '') ?? 'unknown'
