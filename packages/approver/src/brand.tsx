import { useState } from 'preact/hooks'
import { contrast, grounds, readable, textOn } from './colours.ts'
import { Mark } from './icons.tsx'
import { settings } from './settings.ts'

/** Takes the colour of the host for buttons; a tone of it that can be read for links, the focus and the sections. */
export const applyColour = (): void => {
  const { color } = settings
  if (color === null || !/^#[0-9a-f]{6}$/i.test(color)) return
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
