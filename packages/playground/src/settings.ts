import { signal } from '@preact/signals'
import { serviceUrl } from './service/service.ts'

/** What the server tells the page when it opens. */
export interface Settings {
  /** The web origins that may use passkeys. */
  readonly origins: readonly string[]
  /** Whose credentials may be offered; `null` where there is nobody of whom everybody may know them. */
  readonly demoUser: { readonly email: string; readonly password: string } | null
}

export const settings = signal<Settings>({ origins: [location.origin], demoUser: null })

export const loadSettings = async (): Promise<void> => {
  const response = await fetch(`${serviceUrl}/playground/settings.json`)
  if (response.ok) settings.value = (await response.json()) as Settings
}
