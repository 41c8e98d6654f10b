import { computed, effect, signal } from '@preact/signals'
import { Log } from './log/log.tsx'
import { WebPane } from './pane/web-pane.tsx'
import { settings } from './settings.ts'

/** The part of the page that is shown alone; `all` shows every part. */
type View = 'all' | 'web' | 'phone' | 'calls'

const parts: readonly View[] = ['web', 'phone', 'calls']

const read = (): View => parts.find((part) => location.hash === `#${part}`) ?? 'all'

const requested = signal(read())
addEventListener('hashchange', () => {
  requested.value = read()
})

const narrowScreen = matchMedia('(max-width: 47.99rem)')

/** True if the screen is narrow, with room for one part at a time. */
const isNarrow = signal(narrowScreen.matches)
narrowScreen.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})

/** Follows the address: `/playground#phone` shows the phone alone, for example in its own window. */
const view = computed<View>(() => (isNarrow.value && requested.value === 'all' ? 'web' : requested.value))

const titles: Readonly<Record<View, string>> = { all: 'All', web: 'Web', phone: 'Phone', calls: 'Calls' }

effect(() => {
  document.title = `${titles[view.value]} – Countersign playground`
})

/** The phone: the page at `/approve/`, in a frame. In a window of its own, or on a real phone, it is the same page. */
const PhonePane = () => (
  <section class="pane phone" aria-labelledby="phone-title">
    <header class="bar">
      <h2 id="phone-title">Phone</h2>
      <a href="approve/" target="_blank" rel="noreferrer">
        Open in a window
      </a>
    </header>
    <iframe src="approve/" title="The approver on the phone" />
  </section>
)

/** Names the address at which passkeys work, which belong to a domain, if the page is open at another one. */
const AddressBanner = () => {
  const { origins } = settings.value
  const home = origins.find((origin) => origin.startsWith('http'))
  if (home === undefined || origins.includes(location.origin)) return null
  const there = home + location.pathname
  return (
    <p class="banner" role="note">
      Passkeys belong to a domain. The passkeys of this service do not work at {location.origin}
      {isSecureContext ? '' : ', and browsers store no device keys there'}. Open <a href={there}>{there}</a> instead.
    </p>
  )
}

const Tab = ({ to }: { readonly to: View }) => (
  <a href={to === 'all' ? '#' : `#${to}`} aria-current={view.value === to ? 'page' : undefined}>
    {titles[to]}
  </a>
)

export const App = () => {
  const shows = (part: View): boolean => view.value === 'all' || view.value === part
  return (
    <>
      <header class="top">
        <h1>
          Countersign <span>playground</span>
        </h1>
        <nav aria-label="View">
          {!isNarrow.value && <Tab to="all" />}
          <Tab to="web" />
          <Tab to="phone" />
          <Tab to="calls" />
        </nav>
      </header>
      <main class={`view-${view.value}`}>
        <AddressBanner />
        {(view.value === 'all' || (isNarrow.value && view.value === 'web')) && (
          <div class="intro">
            <p>An application asks for approvals on the web, and a person signs them on a phone: try both sides here.</p>
            <ol>
              <li>Sign in on the web and on the phone.</li>
              <li>Ask for approval on the web.</li>
              <li>Approve on the phone.</li>
            </ol>
          </div>
        )}
        {shows('web') && <WebPane />}
        {shows('phone') && <PhonePane />}
        {shows('calls') && <Log />}
      </main>
    </>
  )
}
