import { percentEncodeAdvice, splitUrl } from '@countersign/core/storage'
import { decodePercent } from '../http/paths.ts'

export const redisForm = 'redis://[<user>:<password>@]<host>[:<port>][/<database number>], or rediss://… for TLS'

export const smtpForm =
  'smtps://[<user>:<password>@]<host>[:<port>], or smtp://… for a server with STARTTLS, which only this machine may lack'

/** @param allowedPath The form of the path, which may be empty. */
const faultOf =
  (form: string, scheme: RegExp, allowedPath: RegExp) =>
  (text: string): string | undefined => {
    const parts = splitUrl(text)
    if (parts === 'unencoded') return percentEncodeAdvice
    if (parts === undefined || !scheme.test(parts.scheme) || !URL.canParse(text)) return `must be ${form}`
    const { credentials, hosts, path, parameters } = parts
    const isAddress = hosts !== '' && allowedPath.test(path) && parameters === ''
    return isAddress && decodePercent(credentials) !== undefined ? undefined : `must be ${form}`
  }

/** Returns what is wrong with the URL of a Redis server, without the URL; `undefined` for a valid URL. */
export const redisUrlFault = faultOf(redisForm, /^rediss?:\/\/$/, /^(?:\/\d{0,5})?$/)

/** Returns what is wrong with the URL of a mail server, without the URL; `undefined` for a valid URL. */
export const smtpUrlFault = faultOf(smtpForm, /^smtps?:\/\/$/, /^\/?$/)

/** Returns a URL without user and password, for messages. */
export const shownUrl = (url: string): string => {
  const parts = splitUrl(url)
  return typeof parts === 'object' ? `${parts.scheme}${parts.hosts}${parts.path}` : ''
}
