import type { SwaggerUi } from 'swagger-ui-dist/swagger-ui-es-bundle.js'

interface Session {
  readonly accessToken: string
  readonly refreshToken: string
}

type Credentials = Readonly<Record<'email' | 'password', string>>

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

/** Returns the credentials of the demo user, which everybody may know; `null` without a demo user. */
const readDemoUser = async (): Promise<Credentials | null> => {
  const response = await fetch(new URL('docs/settings.json', document.baseURI))
  if (!response.ok) return null
  const { demoUser } = (await response.json()) as { readonly demoUser: Credentials | null }
  return demoUser
}

/** The security schemes of the OpenAPI document that use an access token. */
const SCHEMES = ['accessToken', 'presentedToken'] as const

const find = <T extends Element>(selector: string): T => {
  const found = document.querySelector<T>(selector)
  if (found === null) throw new Error(`the page has no ${selector}`)
  return found
}

/** Connects the forms of the page. After a login, every call has the access token; after a logout, no call has it. */
export const offerSignIn = (ui: SwaggerUi): void => {
  const [signIn, signOut] = [find<HTMLFormElement>('#sign-in'), find<HTMLFormElement>('#sign-out')]
  const status = find<HTMLElement>('.session [role="status"]')
  const field = (name: string): HTMLInputElement => find(`#sign-in [name="${name}"]`)
  let session: Session | undefined

  const show = (next: Session | undefined): void => {
    session = next
    signIn.hidden = next !== undefined
    signOut.hidden = next === undefined
    find<HTMLElement>(`${next === undefined ? '#sign-in' : '#sign-out'} button`).focus()
  }
  /** Runs the action of a form, and shows the outcome. */
  const onSubmit = (form: HTMLFormElement, work: () => Promise<string>): void => {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      work().then(
        (message) => {
          status.textContent = message
        },
        (error: unknown) => {
          status.textContent = error instanceof Error ? error.message : String(error)
        },
      )
    })
  }

  onSubmit(signIn, async () => {
    const email = field('email').value
    const next = (await post('api/v1/auth/login', { email, password: field('password').value })) as Session
    for (const scheme of SCHEMES) ui.preauthorizeApiKey(scheme, next.accessToken)
    show(next)
    return `Signed in as ${email}. Calls from this page carry the access token.`
  })
  onSubmit(signOut, async () => {
    const ended = session
    ui.authActions.logout(SCHEMES)
    show(undefined)
    if (ended !== undefined) await post('api/v1/auth/logout', { refreshToken: ended.refreshToken }, ended.accessToken)
    return 'Signed out.'
  })

  void readDemoUser().then((demoUser) => {
    if (demoUser === null) return
    field('email').value ||= demoUser.email
    field('password').value ||= demoUser.password
  })
}
