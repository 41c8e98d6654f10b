/** The settings of every session: the URL of Countersign, and the secret that seals the cookie. */
export const settings = () => ({
  baseUrl: process.env.COUNTERSIGN_URL ?? '',
  secret: process.env.SESSION_SECRET ?? '',
  cookieName: 'shop',
})
