import { CountersignError } from '@countersign/client-sdk'
import { useEffect, useState } from 'preact/hooks'
import { PageError, showFailure } from '../action-outcome.ts'
import { Icon } from '../icons.tsx'
import { canInstall, install } from '../install.ts'
import { canNotify, isNotified, mustInstall, startNotifying, stopNotifying } from '../notifications.ts'
import { Action, Field, Form, Heading } from '../parts.tsx'
import { client, phone, stopHere } from '../phone.ts'
import { route } from '../route.ts'
import { showLocked } from '../stopped.ts'
import { chooseLanguage, language, languages, t } from '../words.ts'
import { type Belongings, Devices, Passkeys, readBelongings, Sessions } from './belongings.tsx'

/** A language that the page has not kept needs a connection. */
const choose = (tag: string): void => {
  chooseLanguage(tag).catch(() => showFailure(new PageError(t('failedOffline'))))
}

const LanguageChoice = () => (
  <label class="field">
    {t('language')}
    <select value={language.value} onChange={(event) => choose(event.currentTarget.value)}>
      {Object.entries(languages).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

const PasswordForm = ({ change }: { readonly change: (action: () => Promise<unknown>) => () => Promise<unknown> }) => (
  <details class="card" id="password">
    <summary>{t('changePassword')}</summary>
    <Form
      submit={t('changePassword')}
      action={({ currentPassword = '', newPassword = '' }) =>
        change(async () => {
          await client.password.change({ currentPassword, newPassword }).catch((error: unknown) => {
            const isWrong = error instanceof CountersignError && error.serviceCode === 'wrong_password'
            throw isWrong ? new PageError(t('failedPassword'), { cause: error }) : error
          })
          return t('passwordChanged')
        })()
      }
    >
      {/* A password manager finds the account by this field. */}
      <input type="hidden" autocomplete="username" value={phone.value?.email} />
      <Field name="currentPassword" label={t('currentPassword')} type="password" autocomplete="current-password" />
      <Field name="newPassword" label={t('newPassword')} type="password" autocomplete="new-password" />
    </Form>
  </details>
)

/** Says whether this phone is notified, with the button that changes it. */
const Notifying = () => {
  const isOn = isNotified()
  return (
    <div class="stack">
      <p role="status">{t(isOn ? 'notifyIsOn' : 'notifyIsOff')}</p>
      <Action action={isOn ? stopNotifying : startNotifying}>{t(isOn ? 'notifyOff' : 'notifyOn')}</Action>
    </div>
  )
}

const ThisPhone = () => (
  <>
    {(canNotify || mustInstall) && (
      <>
        <h2>{t('notifications')}</h2>
        {mustInstall ? <p class="quiet">{t('notifyInstall')}</p> : <Notifying />}
      </>
    )}
    {canInstall() && (
      <>
        <p class="quiet">{t('installWhy')}</p>
        <Action icon="add" action={install}>
          {t('install')}
        </Action>
      </>
    )}
  </>
)

export const Account = () => {
  const [belongings, setBelongings] = useState<Belongings>()
  const read = () => readBelongings().then(setBelongings)
  useEffect(() => {
    read().catch(showFailure)
  }, [])
  // A link leads to one part of the screen, which is there after the belongings are read.
  const isRead = belongings !== undefined
  useEffect(() => {
    const part = isRead ? document.getElementById(route.peek()[1]) : null
    if (part instanceof HTMLDetailsElement) part.open = true
    part?.scrollIntoView()
  }, [isRead])
  const change = (action: () => Promise<unknown>) => async () => {
    const text = await action()
    await read()
    return text
  }
  return (
    <>
      <Heading>{t('account')}</Heading>
      <div class="item">
        <Icon name="account" />
        <span>{t('signedInAs', { email: phone.value?.email ?? '' })}</span>
      </div>
      <ThisPhone />
      {belongings === undefined ? (
        <p>{t('loading')}</p>
      ) : (
        <>
          <h2>{t('devices')}</h2>
          <Devices all={belongings.devices} change={change} />
          <h2>{t('passkeys')}</h2>
          <Passkeys all={belongings.passkeys} change={change} />
          <h2 id="sessions">{t('sessions')}</h2>
          <Sessions all={belongings.sessions} change={change} />
        </>
      )}
      <h2>{t('settings')}</h2>
      <LanguageChoice />
      <PasswordForm change={change} />
      <Action
        action={async () => {
          await client.auth.logout()
        }}
      >
        {t('signOut')}
      </Action>
      <h2>{t('emergency')}</h2>
      <details class="card" id="lock">
        <summary>{t('lock')}</summary>
        <p>{t('lockWhy')}</p>
        <Action
          kind="danger"
          action={async () => {
            await client.account.lock()
            showLocked()
          }}
        >
          {t('lock')}
        </Action>
      </details>
      <details class="card">
        <summary>{t('forget')}</summary>
        <p>{t('forgetWhy')}</p>
        <Action kind="danger" action={stopHere}>
          {t('forget')}
        </Action>
      </details>
    </>
  )
}
