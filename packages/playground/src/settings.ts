import { signal } from '@preact/signals'
import { serviceUrl } from './service/service.ts'

export interface Settings {
  /** The web origins that may use passkeys. */
  readonly origins: readonly string[]
  /** The credentials of the demo user, which everybody may know; `null` without a demo user. */
  readonly demoUser: { readonly email: string; readonly password: string } | null
}

export const settings = signal<Settings>({ origins: [location.origin], demoUser: null })

export const loadSettings = async (): Promise<void> => {
  const response = await fetch(`${serviceUrl}/playground/settings.json`)
  if (response.ok) settings.value = (await response.json()) as Settings
}
