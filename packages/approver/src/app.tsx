import { useEffect } from 'preact/hooks'
import { notice } from './action-outcome.ts'
import { Notices } from './parts.tsx'
import { phone, signedIn, visitor } from './phone.ts'
import { route } from './route.ts'
import { Account } from './screens/account.tsx'
import { History, Receipt } from './screens/history.tsx'
import { Inbox } from './screens/inbox.tsx'
import { Request } from './screens/request.tsx'
import { Continue, Enrol, Probation, SignIn } from './screens/sign-in.tsx'
import { settings } from './settings.ts'
import { isOffline, isOnProbation, waiting } from './waiting-requests.ts'
import { direction, language, t } from './words.ts'

const Tab = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <a href={`#/${to}`} aria-current={route.value[0] === to ? 'page' : undefined}>
    {children}
  </a>
)

const Screen = () => {
  const [screen, id] = route.value
  if (signedIn.value === undefined) return <p>{t('loading')}</p>
  if (visitor.value !== undefined && phone.value === undefined) return <Enrol />
  if (phone.value === undefined) return <SignIn />
  if (!signedIn.value) return <Continue />
  if (screen === 'account') return <Account />
  if (screen === 'receipt') return <Receipt id={id} />
  if (screen === 'history') return <History />
  if (isOnProbation.value) return <Probation />
  return screen === 'request' ? <Request key={id} id={id} /> : <Inbox />
}

export const App = () => {
  const isReady = phone.value !== undefined && signedIn.value === true
  const count = waiting.value?.length ?? 0
  useEffect(() => {
    document.documentElement.lang = language.value
    document.documentElement.dir = direction()
    document.title = `${count > 0 ? `(${count}) ` : ''}${settings.name} – ${t('title')}`
  }, [language.value, count])
  // A message belongs to the screen on which it appeared.
  useEffect(() => {
    notice.value = undefined
  }, [route.value.join('/')])
  return (
    <>
      <header>
        {settings.logoUrl !== null && <img src={settings.logoUrl} alt="" width={32} height={32} />}
        <span>{settings.name}</span>
      </header>
      <main>
        <p role="status" class="note">
          {isOffline.value ? t('offline') : ''}
        </p>
        <Notices />
        <Screen />
      </main>
      {isReady && (
        <nav aria-label={t('navigation')}>
          <Tab to="">{count === 0 ? t('inbox') : `${t('inbox')} (${count})`}</Tab>
          <Tab to="history">{t('history')}</Tab>
          <Tab to="account">{t('account')}</Tab>
        </nav>
      )}
    </>
  )
}
