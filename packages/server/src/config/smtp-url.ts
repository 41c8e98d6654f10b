import { percentEncodeAdvice, splitUrl } from '@countersign/core/storage'
import { isDecodable } from './redis-url.ts'

/** The form of the URL of a mail server. */
export const smtpForm =
  'smtps://[<user>:<password>@]<host>[:<port>], or smtp://… for a server with STARTTLS, which only this machine may lack'

/** Returns what is wrong with the URL of a mail server, without the URL; `undefined` for a valid URL. */
export const smtpUrlFault = (text: string): string | undefined => {
  const parts = splitUrl(text)
  if (parts === 'unencoded') return percentEncodeAdvice
  if (parts === undefined || !/^smtps?:\/\/$/.test(parts.scheme) || !URL.canParse(text)) return `must be ${smtpForm}`
  const { credentials, hosts, path, parameters } = parts
  const isAddress = hosts !== '' && /^\/?$/.test(path) && parameters === ''
  return isAddress && isDecodable(credentials) ? undefined : `must be ${smtpForm}`
}
