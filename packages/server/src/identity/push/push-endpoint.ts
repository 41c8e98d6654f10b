import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { PushRefused } from './deliver.ts'

/** The allowed places of Web Push endpoints. Users choose the endpoints, so they must not lead the server into its own network. */
export interface EndpointRules {
  /** The hosts of push services and their subdomains, or `*` for every host. */
  readonly hosts: readonly string[]
  /** True if an endpoint may be on this machine, with http and any port. */
  readonly loopback: boolean
}

/** The block of addresses that IPv6 networks use today. Older forms of IPv4 addresses are outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** An IPv6 network reaches IPv4 addresses under this prefix (NAT64, RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Returns whether an address is on the public internet. An IPv4 address inside an IPv6 address is checked only with NAT64. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  if (address.match(NAT64)) return isPublicAddress(address.toByteArray().slice(12).join('.'))
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast'
}

/** Returns whether an endpoint is on this machine. A developer's own push service may be there. */
export const isOnLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)

/** Names of this machine (RFC 6761, 6.3). A resolver may answer them from its own file, so no list of hosts allows them. */
const LOOPBACK_NAME = /(?:^|\.)localhost\.?$/

/** Returns whether the rules allow an endpoint. The addresses of a host name are checked later, by `publicLookup`. */
export const isAllowedEndpoint = (endpoint: string, { hosts, loopback }: EndpointRules): boolean => {
  if (!URL.canParse(endpoint)) return false
  const url = new URL(endpoint)
  if (url.username !== '' || url.password !== '') return false
  if (loopback && isOnLoopback(url)) return /^https?:$/.test(url.protocol)
  if (url.protocol !== 'https:' || url.port !== '') return false
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (LOOPBACK_NAME.test(host) || (ipaddr.isValid(host) && !isPublicAddress(host))) return false
  return hosts.some((suffix) => suffix === '*' || host === suffix || host.endsWith(`.${suffix}`))
}

/** Resolves a host name for a connection, which goes to these addresses. Refuses a host with an address that is not public. */
export const publicLookup =
  (lookup: typeof systemLookup = systemLookup): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      // A subscription may name a host that does not exist. The push services may still be healthy.
      if (error?.code === 'ENOTFOUND') return callback(new PushRefused('HOST_UNKNOWN', 'this'), [])
      if (error !== null) return callback(error, [])
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new PushRefused('ADDRESS_REFUSED', 'this'), [])
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
