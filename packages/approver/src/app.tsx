import { useEffect } from 'preact/hooks'
import { notice } from './action-outcome.ts'
import { Brand, HostLinks } from './brand.tsx'
import { showNearDate } from './dates.ts'
import { Icon, type IconName } from './icons.tsx'
import { Notices } from './parts.tsx'
import { phone, signedIn, visitor } from './phone.ts'
import { route } from './route.ts'
import { Account } from './screens/account.tsx'
import { History, Receipt } from './screens/history.tsx'
import { Inbox } from './screens/inbox.tsx'
import { Probation } from './screens/probation.tsx'
import { Request } from './screens/request.tsx'
import { Continue, Enrol, NewPassword, SignIn } from './screens/sign-in.tsx'
import { StoppedPhone } from './screens/stopped.tsx'
import { faults, settings } from './settings.ts'
import { isFindingOut, stopped } from './stopped.ts'
import { now } from './time.tsx'
import { isOnProbation, offlineSince, waiting } from './waiting-requests.ts'
import { direction, language, t } from './words.ts'

interface TabProps {
  readonly to: '' | 'history' | 'account'
  readonly icon: IconName
  readonly name: string
  readonly count?: number
}

const sections: Readonly<Record<string, TabProps['to']>> = { history: 'history', receipt: 'history', account: 'account' }

const Tab = ({ to, icon, name, count = 0 }: TabProps) => (
  <a href={`#/${to}`} aria-current={(sections[route.value[0]] ?? '') === to ? 'page' : undefined}>
    {name}{' '}
    <span class="tab">
      <Icon name={icon} />
      {count > 0 && <span class="count">{count}</span>}
    </span>
  </a>
)

const Screen = () => {
  const [screen, id] = route.value
  if (screen === 'password') return <NewPassword key={id} code={id} />
  if (signedIn.value === undefined || isFindingOut.value) return <p>{t('loading')}</p>
  if (visitor.value !== undefined && phone.value === undefined) return <Enrol />
  if (phone.value === undefined) return <SignIn />
  if (!signedIn.value) return stopped.value === undefined ? <Continue /> : <StoppedPhone state={stopped.value} />
  if (screen === 'account') return <Account />
  if (screen === 'receipt') return <Receipt id={id} />
  if (isOnProbation.value) return <Probation />
  if (screen === 'history') return <History />
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
  }, [route.value.join('/'), stopped.value])
  return (
    <>
      <Brand />
      <main>
        <p role="status" class="note">
          {offlineSince.value === undefined ? '' : t('offline', { time: showNearDate(offlineSince.value, now.value) })}
        </p>
        {faults.length > 0 && (
          <p role="alert" class="bad">
            {t('settingsBroken', { what: faults.join(', ') })}
          </p>
        )}
        <Notices />
        {/* Without the address of the service, the page would send a password to another one. */}
        {!faults.some((one) => one === 'server' || one === 'settings.json') && <Screen />}
      </main>
      {(!isReady || route.value[0] === 'account') && <HostLinks withContact={stopped.value === undefined} />}
      {isReady && (
        <nav aria-label={t('navigation')}>
          <Tab to="" icon="inbox" name={t('inbox')} count={count} />
          <Tab to="history" icon="history" name={t('history')} />
          <Tab to="account" icon="account" name={t('account')} />
        </nav>
      )}
    </>
  )
}
