import type { Device, OwnSession, Passkey } from '@countersign/client-sdk'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { PageError, showFailure } from '../action-outcome.ts'
import { nameOfAgent } from '../agents.ts'
import { showDate } from '../dates.ts'
import { canNotify, isNotified, mustInstall, startNotifying, stopNotifying } from '../notifications.ts'
import { Action, Heading } from '../parts.tsx'
import { client, forget, hasKey, phone } from '../phone.ts'
import { chooseLanguage, language, languages, t } from '../words.ts'

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

interface ItemProps {
  readonly name: string
  readonly remark?: string | undefined
  readonly usedAt: string | null
  readonly children: ComponentChildren
}

/** A device, a passkey or a session, with what can be done with it. */
const Item = ({ name, remark, usedAt, children }: ItemProps) => (
  <li class="item">
    <span>
      <span class="title" dir="auto">
        {name}
      </span>
      {remark !== undefined && <span class="quiet">{remark}</span>}
      {usedAt !== null && <span class="quiet small">{t('lastUsed', { time: showDate(usedAt) })}</span>}
    </span>
    {children}
  </li>
)

interface Belongings {
  readonly devices: readonly Device[]
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly OwnSession[]
}

const readBelongings = async (): Promise<Belongings> => {
  const [{ devices }, { credentials: passkeys }, { sessions }] = await Promise.all([
    client.devices.list(),
    client.passkeys.list(),
    client.sessions.list({}),
  ])
  return { devices, passkeys, sessions }
}

interface ListProps<T> {
  readonly all: readonly T[]
  /** Runs an action, and reads everything again. */
  readonly change: (action: () => Promise<unknown>) => () => Promise<unknown>
}

const Devices = ({ all, change }: ListProps<Device>) => (
  <ul class="items">
    {all.map(({ id, deviceName, trusted, lastUsedAt }) => {
      const isThis = id === phone.value?.deviceId
      return (
        <Item
          key={id}
          name={deviceName}
          usedAt={lastUsedAt}
          remark={isThis ? t('thisDevice') : trusted ? undefined : t('untrusted')}
        >
          {!isThis && trusted === false && (
            <Action
              action={change(async () => {
                const { matchNumber } = await client.devices.vouch({ deviceId: id })
                return t('vouchNumber', { number: matchNumber })
              })}
            >
              {t('vouch')}
            </Action>
          )}
          {!isThis && (
            <Action
              kind="danger"
              label={t('removeNamed', { name: deviceName })}
              action={change(async () => {
                await client.devices.remove({ deviceId: id })
                return t('removed', { name: deviceName })
              })}
            >
              {t('remove')}
            </Action>
          )}
        </Item>
      )
    })}
  </ul>
)

const Passkeys = ({ all, change }: ListProps<Passkey>) => (
  <>
    {all.length === 0 && <p class="quiet">{t('passkeysNone')}</p>}
    <ul class="items">
      {all.map(({ id, name, trusted, lastUsedAt }) => (
        <Item key={id} name={name} usedAt={lastUsedAt} remark={trusted === false ? t('untrusted') : undefined}>
          <Action
            kind="danger"
            label={t('removeNamed', { name })}
            action={change(async () => {
              await client.passkeys.remove({ credentialId: id })
              return t('removed', { name })
            })}
          >
            {t('remove')}
          </Action>
        </Item>
      ))}
    </ul>
    <Action
      action={change(async () => {
        const { credential, vouching } = await client.passkeys.create({ userVerification: 'required' })
        return vouching === undefined ? t('added', { name: credential.name }) : t('vouchNumber', { number: vouching.matchNumber })
      })}
    >
      {t('addPasskey')}
    </Action>
  </>
)

const Sessions = ({ all, change }: ListProps<OwnSession>) => (
  <>
    <ul class="items">
      {all.map(({ id, current, userAgent, address, lastUsedAt }) => {
        const name = nameOfAgent(userAgent)
        return (
          <Item key={id} name={name} usedAt={lastUsedAt} remark={current ? t('thisSession') : (address ?? undefined)}>
            {!current && (
              <Action
                kind="danger"
                label={t('endNamed', { name })}
                action={change(async () => {
                  await client.sessions.end({ sessionId: id })
                  return t('ended')
                })}
              >
                {t('end')}
              </Action>
            )}
          </Item>
        )
      })}
    </ul>
    {all.length > 1 && (
      <Action
        kind="danger"
        action={change(async () => {
          await client.sessions.endOthers()
          return t('ended')
        })}
      >
        {t('endOthers')}
      </Action>
    )}
  </>
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

/** The account of the person, and what belongs to it. */
export const Account = () => {
  const [belongings, setBelongings] = useState<Belongings>()
  const read = () => readBelongings().then(setBelongings)
  useEffect(() => {
    read().catch(showFailure)
  }, [])
  const change: ListProps<never>['change'] = (action) => async () => {
    const text = await action()
    await read()
    return text
  }
  return (
    <>
      <Heading>{t('account')}</Heading>
      <p>{t('signedInAs', { email: phone.value?.email ?? '' })}</p>
      <LanguageChoice />
      {belongings === undefined ? (
        <p>{t('loading')}</p>
      ) : (
        <>
          <h2>{t('devices')}</h2>
          <Devices all={belongings.devices} change={change} />
          <h2>{t('passkeys')}</h2>
          <Passkeys all={belongings.passkeys} change={change} />
          <h2>{t('sessions')}</h2>
          <Sessions all={belongings.sessions} change={change} />
        </>
      )}
      {(canNotify || mustInstall) && (
        <>
          <h2>{t('notifications')}</h2>
          {hasKey() && !mustInstall ? <Notifying /> : <p class="quiet">{t(hasKey() ? 'notifyInstall' : 'notifyNeedsKey')}</p>}
        </>
      )}
      <h2>{t('emergency')}</h2>
      <details class="card">
        <summary>{t('lock')}</summary>
        <p>{t('lockWhy')}</p>
        <Action
          kind="danger"
          action={async () => {
            await client.account.lock()
            return t('locked')
          }}
        >
          {t('lock')}
        </Action>
      </details>
      <details class="card">
        <summary>{t('forget')}</summary>
        <p>{t('forgetWhy')}</p>
        <Action
          kind="danger"
          action={async () => {
            if (hasKey()) await client.devices.remove({ deviceId: phone.peek()?.deviceId ?? '' })
            await forget()
          }}
        >
          {t('forget')}
        </Action>
      </details>
      <Action
        action={async () => {
          await client.auth.logout()
        }}
      >
        {t('signOut')}
      </Action>
    </>
  )
}
