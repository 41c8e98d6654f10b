import type { ComponentChildren } from 'preact'
import { attempt } from './attempt.ts'
import type { Pane } from './pane.ts'

interface ActionButtonProps {
  readonly pane: Pane
  readonly action: () => Promise<string>
  /** What the button is called where its text alone would not say what it acts on. */
  readonly label?: string
  /** The id of the element that says more about the action. */
  readonly describedBy?: string
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly children: ComponentChildren
}

/** A button that runs an action of a pane. While one runs it does nothing, but keeps the focus. */
export const ActionButton = ({ pane, action, label, describedBy, kind = 'plain', children }: ActionButtonProps) => (
  <button
    type="button"
    class={kind}
    aria-label={label}
    aria-describedby={describedBy}
    aria-disabled={pane.busy.value}
    onClick={() => void attempt(pane, action)}
  >
    {children}
  </button>
)
