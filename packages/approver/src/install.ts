import { signal } from '@preact/signals'
import { PageError } from './action-outcome.ts'
import { t } from './words.ts'

/** The offer of a Chromium browser to install the page. No standard type declares it. */
interface InstallOffer extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

const offer = signal<InstallOffer>()

addEventListener('beforeinstallprompt', (event) => {
  // The page asks where it says what the installed page is for.
  event.preventDefault()
  offer.value = event as InstallOffer
})
addEventListener('appinstalled', () => {
  offer.value = undefined
})

/** Whether the page runs in the browser of an iPhone or iPad, where the person installs it from a menu. */
export const isAppleBrowser = (navigator as { readonly standalone?: boolean }).standalone === false

export const canInstall = (): boolean => offer.value !== undefined

/** Asks the browser to install the page. A browser asks once for each offer. */
export const install = async (): Promise<void> => {
  const asked = offer.peek()
  offer.value = undefined
  const answer = await asked?.prompt()
  if (answer?.outcome === 'dismissed') throw new PageError(t('installRefused'))
}
