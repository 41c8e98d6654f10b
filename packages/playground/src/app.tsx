import { AddressBanner } from './address-banner.tsx'
import { Log } from './log/log.tsx'
import { PhonePane } from './pane/phone-pane.tsx'
import { WebPane } from './pane/web-pane.tsx'
import { isNarrow, type View, view } from './view.ts'

const Tab = ({ to, children }: { readonly to: View; readonly children: string }) => (
  <a href={to === 'all' ? '#' : `#${to}`} aria-current={view.value === to ? 'page' : undefined}>
    {children}
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
          {!isNarrow.value && <Tab to="all">All</Tab>}
          <Tab to="web">Web</Tab>
          <Tab to="phone">Phone</Tab>
          <Tab to="calls">Calls</Tab>
        </nav>
      </header>
      <main class={`view-${view.value}`}>
        <AddressBanner />
        {(view.value === 'all' || (isNarrow.value && view.value === 'web')) && (
          <p class="intro">
            Sign in on the web and on the phone, ask for an approval, and answer it on the phone. The page shows each call of the
            web.
          </p>
        )}
        {shows('web') && <WebPane />}
        {shows('phone') && <PhonePane />}
        {shows('calls') && <Log />}
      </main>
    </>
  )
}
