/** The message for a bad URL of a Redis server. */
export const redisUrlMessage = 'must be redis://[<user>:<password>@]<host>[:<port>][/<database number>], or rediss://… for TLS'

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export const isRedisUrl = (text: string): boolean => {
  if (!/^rediss?:\/\//.test(text) || !URL.canParse(text)) return false
  const { hostname, pathname, search, hash, username, password } = new URL(text)
  const isAddress = hostname !== '' && /^(?:\/\d{0,5})?$/.test(pathname) && search === '' && hash === ''
  return isAddress && isDecodable(username) && isDecodable(password)
}

/** Returns the URL without user and password, for messages. */
export const shownRedis = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
