import { computed, effect, signal } from '@preact/signals'

/** The part of the page that is shown alone; `all` shows every part. */
export type View = 'all' | 'web' | 'phone' | 'calls'

const parts: readonly View[] = ['web', 'phone', 'calls']

const read = (): View => parts.find((part) => location.hash === `#${part}`) ?? 'all'

const requested = signal(read())
addEventListener('hashchange', () => {
  requested.value = read()
})

const narrowScreen = matchMedia('(max-width: 47.99rem)')

/** True if the screen is narrow, with room for one part at a time. */
export const isNarrow = signal(narrowScreen.matches)
narrowScreen.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})

/** Follows the address: `/playground#phone` shows the phone alone, for example in its own window. */
export const view = computed<View>(() => (isNarrow.value && requested.value === 'all' ? 'web' : requested.value))

/** The names of the parts. */
export const titles: Readonly<Record<View, string>> = { all: 'All', web: 'Web', phone: 'Phone', calls: 'Calls' }

effect(() => {
  document.title = `${titles[view.value]} – Countersign playground`
})
