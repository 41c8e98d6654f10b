import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { busy } from './action-outcome.ts'
import { Icon, type IconName } from './icons.tsx'
import { t } from './words.ts'

interface SheetProps {
  readonly button: string
  readonly kind?: 'plain' | 'danger' | 'reject'
  readonly icon?: IconName
  /** The accessible name of the button, if its text does not name the object. */
  readonly label?: string
  readonly title: string
  readonly children: ComponentChildren
}

/** A button and its sheet, which each button closes. Escape, *Cancel* and a press next to the sheet change nothing. */
export const Sheet = ({ button, kind = 'plain', icon, label, title, children }: SheetProps) => {
  const place = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const name = useId()
  const open = (): void => {
    if (busy.peek()) return
    place.current?.showModal()
    // A field would get the focus, and a phone would cover the ways with its keyboard.
    heading.current?.focus()
  }
  return (
    <>
      <button type="button" class={kind} aria-label={label} aria-haspopup="dialog" aria-disabled={busy.value} onClick={open}>
        {icon !== undefined && <Icon name={icon} />}
        {button}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog, and buttons answer to keys with clicks. */}
      <dialog
        ref={place}
        aria-labelledby={name}
        onClick={({ target, currentTarget }) => {
          const isBackdrop = target === currentTarget
          if (isBackdrop || (target as Element).closest('button[type="button"]') !== null) currentTarget.close()
        }}
      >
        <div class="sheet">
          <h2 id={name} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {children}
          <button type="button" class="text">
            {t('cancel')}
          </button>
        </div>
      </dialog>
    </>
  )
}
