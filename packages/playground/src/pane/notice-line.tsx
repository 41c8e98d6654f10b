import { useEffect, useRef } from 'preact/hooks'
import type { Pane } from './pane.ts'

/**
 * What the last action came to. Both regions are always there, so that what appears in them is read out. Where the action
 * has taken its own button away, the focus comes here instead of getting lost.
 */
export const NoticeLine = ({ pane }: { readonly pane: Pane }) => {
  const place = useRef<HTMLDivElement>(null)
  const notice = pane.notice.value
  useEffect(() => {
    if (notice !== undefined && document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [notice])
  return (
    <div class="notices" ref={place} tabIndex={-1}>
      <p role="status">{notice?.kind === 'done' ? notice.text : ''}</p>
      <p role="alert">{notice?.kind === 'failed' ? notice.text : ''}</p>
      <p class="working" aria-hidden="true">
        {pane.busy.value ? 'One moment…' : ''}
      </p>
    </div>
  )
}
