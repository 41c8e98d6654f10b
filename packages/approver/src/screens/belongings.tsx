import type { Device, OwnSession, Passkey } from '@countersign/client-sdk'
import type { ComponentChildren } from 'preact'
import { isMobile, nameOfAgent } from '../agents.ts'
import { showDay, showNearDate } from '../dates.ts'
import { Icon, type IconName } from '../icons.tsx'
import { Action } from '../parts.tsx'
import { addPasskey, client, phone } from '../phone.ts'
import { Sheet } from '../sheet.tsx'
import { now } from '../time.tsx'
import { t } from '../words.ts'

export interface Belongings {
  readonly devices: readonly Device[]
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly OwnSession[]
}

export const readBelongings = async (): Promise<Belongings> => {
  const [{ devices }, { credentials: passkeys }, { sessions }] = await Promise.all([
    client.devices.list(),
    client.passkeys.list(),
    client.sessions.list({}),
  ])
  return { devices, passkeys, sessions }
}

interface ItemProps {
  readonly icon: IconName
  readonly name: string
  readonly remark?: string | undefined
  readonly addedAt?: string
  readonly usedAt: string | null
  readonly children: ComponentChildren
}

/** A device, a passkey or a session, with what can be done with it. */
const Item = ({ icon, name, remark, addedAt, usedAt, children }: ItemProps) => (
  <li class="item">
    <Icon name={icon} />
    <span>
      <span class="title" dir="auto">
        {name}
      </span>
      {remark !== undefined && <span class="quiet">{remark}</span>}
      {addedAt !== undefined && <span class="quiet">{t('addedOn', { date: showDay(addedAt) })}</span>}
      {usedAt !== null && <span class="quiet">{t('lastUsed', { time: showNearDate(usedAt, now.peek()) })}</span>}
    </span>
    {children}
  </li>
)

interface EndProps {
  readonly button: string
  readonly label?: string
  readonly title: string
  readonly why: string
  readonly action: () => Promise<unknown>
}

/** The button with which something ends. It asks before it acts. */
const End = ({ button, label, title, why, action }: EndProps) => (
  <Sheet button={button} kind="danger" title={title} {...(label !== undefined && { label })}>
    <p>{why}</p>
    <Action kind="danger" action={action}>
      {button}
    </Action>
  </Sheet>
)

interface ListProps<T> {
  readonly all: readonly T[]
  /** Runs an action, and reads everything again. */
  readonly change: (action: () => Promise<unknown>) => () => Promise<unknown>
}

export const Devices = ({ all, change }: ListProps<Device>) => (
  <ul class="items rows">
    {all.map(({ id, deviceName: name, deviceType, trusted, createdAt, lastUsedAt }) => {
      const isThis = id === phone.value?.deviceId
      return (
        <Item
          key={id}
          icon={deviceType === 'mobile' ? 'phone' : 'computer'}
          name={name}
          addedAt={createdAt}
          usedAt={lastUsedAt}
          remark={isThis ? t('thisDevice') : trusted ? undefined : t('untrusted')}
        >
          {!isThis && trusted === false && (
            <Action
              action={change(async () => {
                await client.devices.vouch({ deviceId: id })
                return t('vouchWaits')
              })}
            >
              {t('vouch')}
            </Action>
          )}
          {!isThis && (
            <End
              button={t('remove')}
              label={t('removeNamed', { name })}
              title={t('removeAsk', { name })}
              why={t('removeDeviceWhy')}
              action={change(async () => {
                await client.devices.remove({ deviceId: id })
                return t('removed', { name })
              })}
            />
          )}
        </Item>
      )
    })}
  </ul>
)

export const Passkeys = ({ all, change }: ListProps<Passkey>) => (
  <>
    {all.length === 0 && <p class="quiet">{t('passkeysNone')}</p>}
    {all.length > 0 && (
      <ul class="items rows">
        {all.map(({ id, name, trusted, createdAt, lastUsedAt }) => (
          <Item
            key={id}
            icon="key"
            name={name}
            addedAt={createdAt}
            usedAt={lastUsedAt}
            remark={trusted === false ? t('untrusted') : undefined}
          >
            <End
              button={t('remove')}
              label={t('removeNamed', { name })}
              title={t('removeAsk', { name })}
              why={t('removePasskeyWhy')}
              action={change(async () => {
                await client.passkeys.remove({ credentialId: id })
                return t('removed', { name })
              })}
            />
          </Item>
        ))}
      </ul>
    )}
    <Action
      icon="add"
      action={change(async () => {
        const { credential, vouching } = await addPasskey()
        return vouching === undefined ? t('added', { name: credential.name }) : t('vouchPasskey')
      })}
    >
      {t('addPasskey')}
    </Action>
  </>
)

export const Sessions = ({ all, change }: ListProps<OwnSession>) => (
  <>
    <ul class="items rows">
      {all.map(({ id, current, userAgent, address, createdAt, lastUsedAt }) => {
        const name = nameOfAgent(userAgent, t('signedInAt', { time: showNearDate(createdAt, now.peek()) }))
        return (
          <Item
            key={id}
            icon={isMobile(userAgent) ? 'phone' : 'computer'}
            name={name}
            usedAt={lastUsedAt}
            remark={current ? t('thisSession') : (address ?? undefined)}
          >
            {!current && (
              <End
                button={t('end')}
                label={`${t('end')}: ${name}`}
                title={t('endAsk')}
                why={`${name}. ${t('endWhy')}`}
                action={change(async () => {
                  await client.sessions.end({ sessionId: id })
                  return t('ended')
                })}
              />
            )}
          </Item>
        )
      })}
    </ul>
    {all.length > 1 && (
      <End
        button={t('endOthers')}
        title={t('endOthersAsk')}
        why={t('endOthersWhy')}
        action={change(async () => {
          await client.sessions.endOthers()
          return t('ended')
        })}
      />
    )}
  </>
)
