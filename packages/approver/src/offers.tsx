import { useState } from 'preact/hooks'
import { Icon, type IconName } from './icons.tsx'
import { canInstall, install, isAppleBrowser } from './install.ts'
import { canNotify, isNotified, mustInstall, startNotifying } from './notifications.ts'
import { Action } from './parts.tsx'
import { stored } from './stored.ts'
import { t } from './words.ts'

interface OfferProps {
  readonly icon: IconName
  readonly title: string
  readonly why: string
  readonly button?: { readonly text: string; readonly action: () => Promise<unknown> } | undefined
}

const Offer = ({ icon, title, why, button }: OfferProps) => (
  <li class="item">
    <Icon name={icon} />
    <span>
      <span class="title">{title}</span>
      <span class="quiet">{why}</span>
    </span>
    {button !== undefined && <Action action={button.action}>{button.text}</Action>}
  </li>
)

const offers = (): readonly OfferProps[] => {
  const all: OfferProps[] = []
  if (canNotify && !mustInstall && !isNotified())
    all.push({
      icon: 'bell',
      title: t('notifyOffer'),
      why: t('notifyWhy'),
      button: { text: t('notifyOn'), action: startNotifying },
    })
  if (isAppleBrowser) all.push({ icon: 'add', title: t('install'), why: mustInstall ? t('notifyInstall') : t('installHow') })
  else if (canInstall())
    all.push({ icon: 'add', title: t('install'), why: t('installWhy'), button: { text: t('install'), action: install } })
  return all
}

/** Offers notifications and the page on the home screen, until the person has them or wants none now. The account has both too. */
export const Offers = () => {
  const [isLater, setLater] = useState(stored.read('later') === true)
  const all = isLater ? [] : offers()
  if (all.length === 0) return null
  return (
    <>
      <ul class="items rows offers">
        {all.map((one) => (
          <Offer key={one.icon} {...one} />
        ))}
      </ul>
      <button
        type="button"
        class="text"
        onClick={() => {
          stored.write('later', true)
          setLater(true)
        }}
      >
        {t('later')}
      </button>
    </>
  )
}
