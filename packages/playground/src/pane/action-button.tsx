import type { ComponentChildren } from 'preact'
import { attempt } from './attempt.ts'
import { pane } from './pane.ts'

interface ActionButtonProps {
  readonly action: () => Promise<string>
  /** The accessible name, if the text of the button does not name the object of the action. */
  readonly label?: string
  readonly describedBy?: string
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly children: ComponentChildren
}

/** A button that runs an action. During an action, the button does nothing but keeps the focus. */
export const ActionButton = ({ action, label, describedBy, kind = 'plain', children }: ActionButtonProps) => (
  <button
    type="button"
    class={kind}
    aria-label={label}
    aria-describedby={describedBy}
    aria-disabled={pane.busy.value}
    onClick={() => void attempt(action)}
  >
    {children}
  </button>
)
