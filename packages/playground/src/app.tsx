import { AddressBanner } from './address-banner.tsx'
import { Log } from './log/log.tsx'
import { PhonePane } from './pane/phone-pane.tsx'
import { WebPane } from './pane/web-pane.tsx'
import { isNarrow, titles, type View, view } from './view.ts'

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
