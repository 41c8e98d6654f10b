import { percentEncodeAdvice, splitUrl } from '@countersign/core/storage'

/** The form of the URL of a Redis server. */
export const redisForm = 'redis://[<user>:<password>@]<host>[:<port>][/<database number>], or rediss://… for TLS'

/** Returns whether every percent sign of a text begins an escape. */
export const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Returns what is wrong with the URL of a Redis server, without the URL; `undefined` for a valid URL. */
export const redisUrlFault = (text: string): string | undefined => {
  const parts = splitUrl(text)
  if (parts === 'unencoded') return percentEncodeAdvice
  if (parts === undefined || !/^rediss?:\/\/$/.test(parts.scheme) || !URL.canParse(text)) return `must be ${redisForm}`
  const { credentials, hosts, path, parameters } = parts
  const isAddress = hosts !== '' && /^(?:\/\d{0,5})?$/.test(path) && parameters === ''
  return isAddress && isDecodable(credentials) ? undefined : `must be ${redisForm}`
}

/** Returns a URL without user and password, for messages. */
export const shownUrl = (url: string): string => {
  const parts = splitUrl(url)
  return typeof parts === 'object' ? `${parts.scheme}${parts.hosts}${parts.path}` : ''
}
