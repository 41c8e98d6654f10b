import { useEffect, useRef } from 'preact/hooks'
import { pane } from './pane.ts'

/** The outcome of the last action. Both regions are always there for screen readers. The focus of a removed button moves here. */
export const NoticeLine = () => {
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
