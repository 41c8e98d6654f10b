import ipaddr from 'ipaddr.js'
import type { AppContext } from './app-context.ts'
import { warnOnce } from './warn-once.ts'

/** IPv4 with four decimal parts, the only unambiguous form (CVE-2026-24398: octets above 255), or IPv6. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** An entry of `X-Forwarded-For`. Some proxies add the port, and brackets around IPv6. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1')

/**
 * Returns one text for all spellings of one client; `undefined` for any other text. IPv4 embedded in IPv6 (RFC 4291 §2.5.5.2)
 * becomes IPv4. IPv6 is cut to its first 64 bits, because a customer has all addresses behind them (CVE-2026-45364).
 */
export const canonicalAddress = (text: string): string | undefined => {
  const address = parse(text)
  if (address === undefined) return undefined
  if (address.kind() === 'ipv4') return address.toString()
  const [a = 0, b = 0, c = 0, d = 0] = (address as ipaddr.IPv6).parts
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`
}

/** Returns the address that the outermost trusted proxy reported. Each proxy appends its peer to the list (CVE-2026-27700). */
const forwardedAddress = (headers: Pick<Headers, 'get'>, proxies: number): string | undefined => {
  const entry = headers.get('x-forwarded-for')?.split(',').at(-proxies)
  return entry === undefined ? undefined : canonicalAddress(withoutPort(entry.trim()))
}

/** Returns the client address that rate limits count. Clients whose address the platform does not know share one limit. */
export const clientAddress = (headers: Pick<Headers, 'get'>, socketAddress: string | undefined, trustProxy: number): string =>
  (trustProxy > 0 ? forwardedAddress(headers, trustProxy) : undefined) ?? canonicalAddress(socketAddress ?? '') ?? 'unknown'

const HINT = 'behind a proxy all clients count as one address: set COUNTERSIGN_TRUST_PROXY to the number of proxies'

/** Makes a function that warns once if `X-Forwarded-For` arrives and no proxy is configured: all clients then share one limit. */
export const warnOfIgnoredForwarding = ({
  logger,
  trustProxy,
}: Pick<AppContext, 'logger' | 'trustProxy'>): AppContext['noteForwarding'] => {
  const warn = warnOnce(logger, 'forwarded_for_ignored', HINT)
  return (headers) => {
    if (trustProxy === 0 && headers.has('x-forwarded-for')) warn()
  }
}
