import { createServerSession } from '@countersign/client-sdk/server'

/** The settings of every session: the URL of Countersign, and the secret that seals the cookie. */
export const settings = () => ({
  baseUrl: process.env.COUNTERSIGN_URL ?? '',
  secret: process.env.SESSION_SECRET ?? '',
  cookieName: 'shop',
})

/** Says which setting is wrong and ends the process, or does nothing. */
export const checkSettings = (): void => {
  try {
    createServerSession({ ...settings(), request: { headers: {} } })
  } catch (error) {
    console.error(`COUNTERSIGN_URL or SESSION_SECRET is wrong: ${String(error)}`)
    process.exit(1)
  }
}
