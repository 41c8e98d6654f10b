import type { FrameLocator, Locator, Page } from 'playwright-core'
import { enrol } from '../../../approver/test/browser/approver-page.ts'
import type { Credentials } from './playground-server.ts'

/** The web application on the page, found by roles and names like a person would. */
export interface Part {
  readonly region: Locator
  button(name: string): Locator
  field(name: string): Locator
  choice(name: string): Locator
  /** Returns the text about the result of the last action. Empty if the action failed or is running. */
  done(): Promise<string>
  /** Returns the text about the failure of the last action. Empty without a failure. */
  failed(): Promise<string>
  /** Returns how the user is signed in, as the page shows it. Empty if signed out. */
  signedIn(): Promise<string>
}

/** The open page at `/playground`. */
export interface Playground {
  readonly page: Page
  readonly web: Part
  /** The page at `/approve/` in its frame. */
  readonly phone: FrameLocator
}

/** Reads the first match, because each pane begins with its status and alert regions. */
const textOf = (locator: Locator): Promise<string> =>
  locator
    .first()
    .textContent()
    .then((text) => text ?? '')

const webOf = (page: Page): Part => {
  const region = page.getByRole('region', { name: 'Web', exact: true })
  const account = region.getByRole('heading', { name: /^Signed in / })
  return {
    region,
    button: (label) => region.getByRole('button', { name: label, exact: true }),
    choice: (label) => region.getByRole('combobox', { name: label, exact: true }),
    field: (label) => region.getByLabel(label, { exact: true }),
    done: () => textOf(region.getByRole('status')),
    failed: () => textOf(region.getByRole('alert')),
    signedIn: async () => (await account.allTextContents()).join(),
  }
}

/** The visible part of the page. */
export type View = 'web' | 'phone' | 'all'

/** Opens the page and waits until it is usable. */
export const openPlayground = async (page: Page, origin: string, view: View = 'all'): Promise<Playground> => {
  const response = await page.goto(`${origin}/playground${view === 'all' ? '' : `#${view}`}`)
  if (response?.ok() !== true) throw new Error(`/playground answers ${response?.status()}: has everything been built?`)
  const opened = { page, web: webOf(page), phone: page.frameLocator('iframe') }
  await (view === 'phone' ? opened.phone.getByRole('main') : opened.web.region).waitFor()
  return opened
}

export const signInWithPassword = async ({ web }: Playground, user: Credentials): Promise<void> => {
  await web.field('E-mail').fill(user.email)
  await web.field('Password').fill(user.password)
  await web.button('Sign in with password').click()
  await web.region.getByRole('heading', { name: 'Signed in with a password' }).waitFor()
}

export const signOut = async (part: Part): Promise<void> => {
  await part.button('Sign out').click()
  await part.region.getByRole('heading', { name: /^Signed in / }).waitFor({ state: 'detached' })
}

/** Turns autofill off. A virtual authenticator accepts every offer immediately, so tests ask explicitly. */
export const stopAutofill = async ({ web }: Playground): Promise<void> => {
  await web.field('Offer passkeys while typing').uncheck()
}

type Wish = 'required' | 'preferred' | 'discouraged'

export interface PasskeyWishes {
  readonly keep?: Wish
  readonly verify?: Wish
}

/** Starts the creation of a passkey. The page shows the result. */
export const askForPasskey = async ({ web }: Playground, { keep, verify }: PasskeyWishes = {}): Promise<void> => {
  const choices = web.region.getByText('What the authenticator must do')
  if (!(await web.choice('Verify the user').isVisible())) await choices.click()
  await web.choice('Keep the passkey itself').selectOption(keep ?? 'preferred')
  await web.choice('Verify the user').selectOption(verify ?? 'preferred')
  await web.button('Create a passkey').click()
}

/** Returns the names of the user's passkeys on the page. */
export const listedPasskeys = ({ web }: Playground): Promise<readonly string[]> =>
  web.region
    .getByRole('button', { name: /^Rename passkey / })
    .evaluateAll((buttons) => buttons.map((button) => (button.ariaLabel ?? '').replace(/^Rename passkey /, '')))

/** Returns the user's passkeys from the service after reopening the page. */
export const storedPasskeys = async ({ page }: Playground): Promise<readonly unknown[]> => {
  const address = page.url()
  // Leaves the page first, because it may still have an unanswered request for its list.
  await page.goto('about:blank')
  const [response] = await Promise.all([page.waitForResponse('**/webauthn/credentials'), page.goto(address)])
  const { data } = (await response.json()) as { readonly data: { readonly credentials: readonly unknown[] } }
  return data.credentials
}

/** Creates a passkey and waits until the page lists it. */
export const createPasskey = async (here: Playground, wishes?: PasskeyWishes): Promise<void> => {
  const before = (await listedPasskeys(here)).length
  await askForPasskey(here, wishes)
  await here.web.region
    .getByRole('button', { name: /^Rename passkey / })
    .nth(before)
    .waitFor()
}

/** Makes the phone in the frame a device of the user. */
export const registerPhone = async ({ phone }: Playground, user: Credentials): Promise<void> => {
  await enrol(phone, user)
  await phone.getByText('Nothing waits for you').waitFor()
}

export interface Payment {
  readonly amount: string
  readonly recipient: string
  readonly tenant?: string
}

/** Opens the fields of a request that most people leave empty. */
export const openMore = async ({ web }: Playground): Promise<void> => {
  if (!(await web.field('Tenant (optional)').isVisible())) await web.region.getByText('More to ask with').click()
}

/** Requests the approval of a payment on the web pane. */
export const askForPayment = async (here: Playground, { amount, recipient, tenant = '' }: Payment): Promise<void> => {
  const { web } = here
  await web.field('Amount').fill(amount)
  await web.field('Recipient').fill(recipient)
  if (tenant !== '') await openMore(here)
  if (await web.field('Tenant (optional)').isVisible()) await web.field('Tenant (optional)').fill(tenant)
  await web.button('Ask for approval').click()
  await web.region.getByRole('list', { name: 'Payments asked for' }).getByText(recipient).first().waitFor()
}
