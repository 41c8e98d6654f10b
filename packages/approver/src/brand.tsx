import { useState } from 'preact/hooks'
import { contrast, grounds, readable, textOn } from './colours.ts'
import { Mark } from './icons.tsx'
import { settings } from './settings.ts'
import { language, t } from './words.ts'

/** Takes the colour of the host for buttons and the browser's bar; a tone that can be read for links, the focus and sections. */
export const applyColour = (): void => {
  const { color } = settings
  if (color === null) return
  const tones = [grounds.light, grounds.dark].map((ground) => readable(color, ground))
  // A button in the colour of its ground would not look like a button.
  const buttons = [grounds.light, grounds.dark].map((ground, at) =>
    contrast(color, ground) < 1.25 ? (tones[at] ?? color) : color,
  )
  const { style } = document.documentElement
  const set = (name: string, [light, dark]: readonly string[]) => style.setProperty(name, `light-dark(${light}, ${dark})`)
  set('--accent', tones)
  set('--main', buttons)
  set('--on-main', buttons.map(textOn))
  document.querySelectorAll<HTMLMetaElement>('[name="theme-color"]').forEach((meta, at) => {
    meta.content = buttons[at] ?? color
  })
}

/** The logo and the name of the host. A logo that cannot be loaded is not shown: the mark of the app stands in its place. */
export const Brand = () => {
  const { name, logoUrl, logoDarkUrl } = settings
  const [isMissing, setMissing] = useState(false)
  return (
    <header>
      {logoUrl === null || isMissing ? (
        <Mark />
      ) : (
        <picture>
          {logoDarkUrl !== null && <source srcSet={logoDarkUrl} media="(prefers-color-scheme: dark)" />}
          <img src={logoUrl} alt="" onError={() => setMissing(true)} />
        </picture>
      )}
      <span>{name}</span>
    </header>
  )
}

/** Returns a text of the host in the language of the page; `undefined` if the host has none, so that the page has its own. */
export const ownText = (name: 'emptyInboxText' | 'lockedText'): string | undefined => {
  const text = settings[name]
  return typeof text === 'string' ? text : text?.[language.value]
}

const Link = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <a href={to} target="_blank" rel="noopener">
    {children}
  </a>
)

/** Where people get help from the host: an address or a number as it is, or a page. */
export const Contact = () => {
  const { supportUrl } = settings
  if (supportUrl === null) return null
  const [, reached] = /^(?:mailto|tel):(.*)$/.exec(supportUrl) ?? []
  return <Link to={supportUrl}>{reached === undefined ? t('contact') : `${t('contact')}: ${reached}`}</Link>
}

/** The links of the host below the sign-in and the account. A phone that no longer works has the contact in its screen. */
export const HostLinks = ({ withContact }: { readonly withContact: boolean }) => {
  const { supportUrl, imprintUrl, privacyUrl } = settings
  if (supportUrl === null && imprintUrl === null && privacyUrl === null) return null
  return (
    <footer>
      {withContact && <Contact />}
      {imprintUrl !== null && <Link to={imprintUrl}>{t('imprint')}</Link>}
      {privacyUrl !== null && <Link to={privacyUrl}>{t('privacy')}</Link>}
    </footer>
  )
}
