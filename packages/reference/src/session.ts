/** The tokens of a login. */
export interface Session {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Credentials of the demo user, which everybody may know. */
export interface DemoUser {
  readonly email: string
  readonly password: string
}

/** Sends a request to the service, which served this page, at the page's own path prefix. */
const post = async (path: string, body: unknown, token?: string): Promise<unknown> => {
  const response = await fetch(new URL(path, document.baseURI), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { readonly data?: unknown; readonly message?: string }
  if (!response.ok) throw new Error(`${answer.message} (${response.status})`)
  return answer.data
}

export const logIn = async (email: string, password: string): Promise<Session> =>
  (await post('api/v1/auth/login', { email, password })) as Session

export const logOut = async ({ accessToken, refreshToken }: Session): Promise<void> => {
  await post('api/v1/auth/logout', { refreshToken }, accessToken)
}

/** Returns the demo user whose credentials the page may offer; `null` without a demo user. */
export const readDemoUser = async (): Promise<DemoUser | null> => {
  const response = await fetch(new URL('docs/settings.json', document.baseURI))
  if (!response.ok) return null
  const { demoUser } = (await response.json()) as { readonly demoUser: DemoUser | null }
  return demoUser
}
