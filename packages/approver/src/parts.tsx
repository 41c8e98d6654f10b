import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { act, busy, notice } from './action-outcome.ts'
import { Icon, type IconName, Mark } from './icons.tsx'

interface ActionProps {
  readonly action: () => Promise<unknown>
  readonly kind?: 'main' | 'plain' | 'danger'
  /** The accessible name, if the text of the button does not name the object of the action. */
  readonly label?: string
  readonly icon?: IconName
  readonly children: ComponentChildren
}

/** A button that runs an action. During an action, the button shows that, does nothing, and keeps the focus. */
export const Action = ({ action, kind = 'plain', label, icon, children }: ActionProps) => {
  const [isPressed, setPressed] = useState(false)
  useEffect(() => {
    if (!busy.value) setPressed(false)
  }, [busy.value])
  return (
    <button
      type="button"
      class={isPressed && busy.value ? `${kind} busy` : kind}
      aria-label={label}
      aria-disabled={busy.value}
      onClick={() => {
        setPressed(true)
        void act(action)
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autocomplete?: string
  readonly value?: string
  readonly optional?: boolean
}

export const Field = ({ name, label, type = 'text', autocomplete = 'off', value = '', optional = false }: FieldProps) => (
  <label class="field">
    {label}
    <input
      name={name}
      {...({ type } as { readonly type: 'text' })}
      autocomplete={autocomplete}
      defaultValue={value}
      required={!optional}
      maxLength={255}
    />
  </label>
)

interface FormProps {
  readonly submit: string
  /** The text of a second button, which runs the action with the value `other`. */
  readonly other?: string | undefined
  readonly action: (values: Readonly<Record<string, string>>) => Promise<unknown>
  readonly children: ComponentChildren
}

export const Form = ({ submit, other, action, children }: FormProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault()
      const values = Object.fromEntries(new FormData(event.currentTarget, event.submitter)) as Record<string, string>
      void act(() => action(values))
    }}
  >
    {children}
    <button type="submit" class="main" aria-disabled={busy.value}>
      {submit}
    </button>
    {other !== undefined && (
      <button type="submit" class="plain" name="other" aria-disabled={busy.value}>
        {other}
      </button>
    )}
  </form>
)

/** The heading of a screen, which gets the focus when the screen appears: no button has it, and screen readers begin there. */
export const Heading = ({ children }: { readonly children: ComponentChildren }) => {
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The screen before may have been scrolled.
    scrollTo(0, 0)
    place.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={place} tabIndex={-1}>
      {children}
    </h1>
  )
}

interface StateProps {
  /** The icon above the texts; without one, the mark of the app. */
  readonly icon?: IconName
  /** `good`, `bad` or `note` for how something ended; by default a quiet picture. */
  readonly kind?: 'good' | 'bad' | 'note'
  readonly children: ComponentChildren
}

/** A large picture above the texts of a screen that shows one state: nothing waits, an answer arrived, a phone is locked. */
export const State = ({ icon, kind, children }: StateProps) => (
  <div class={`state ${kind ?? ''}`}>
    <span class="disc">{icon === undefined ? <Mark /> : <Icon name={icon} />}</span>
    {children}
  </div>
)

/** The outcome of the last action. Both regions are always in the page, so that screen readers announce their texts. */
export const Notices = () => (
  <div class="notices">
    <p role="status" class="good">
      {notice.value?.kind === 'done' ? notice.value.text : ''}
    </p>
    <p role="alert" class="bad">
      {notice.value?.kind === 'failed' ? notice.value.text : ''}
    </p>
  </div>
)
