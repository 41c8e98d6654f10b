import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { language, t } from '../words.ts'

/** A value with at least this many lines on the screen is folded. */
const LONG = 5

/** The marks around a value that keep its direction. */
const ISOLATES = /[\u2068\u2069]/g

/** Called with 1 for a value that is folded, and with -1 when the person unfolds it. */
type OnFold = (change: 1 | -1) => void

const Value = ({ text, onFold }: { readonly text: string; readonly onFold: OnFold | undefined }) => {
  const place = useRef<HTMLElement>(null)
  const [isFolded, setFolded] = useState(false)
  useLayoutEffect(() => {
    const { current: value } = place
    if (value === null || value.scrollHeight < LONG * Number.parseFloat(getComputedStyle(value).lineHeight) - 1) return
    setFolded(true)
    onFold?.(1)
  }, [])
  const unfold = (): void => {
    setFolded(false)
    onFold?.(-1)
    place.current?.focus()
  }
  const count = new Intl.NumberFormat(language.value).format(Array.from(text.replace(ISOLATES, '')).length)
  return (
    <>
      <dd ref={place} class={isFolded ? 'folded' : ''} tabIndex={-1}>
        {text}
      </dd>
      {isFolded && (
        <dd class="unfold">
          <button type="button" class="text" onClick={unfold}>
            {t('showAll', { count })}
          </button>
        </dd>
      )}
    </>
  )
}

interface LinesProps {
  readonly lines: readonly { readonly label: string; readonly value: string; readonly lead?: boolean | undefined }[]
  readonly onFold?: OnFold | undefined
}

/** Signed words, line by line. Long values show their first three lines until the person unfolds them. */
export const Lines = ({ lines, onFold }: LinesProps) => (
  <dl>
    {lines.map(({ label, value, lead }, index) => (
      // The lines of a request never change, and labels may repeat.
      <div key={index} class={lead ? 'lead' : ''}>
        <dt>{label}</dt>
        <Value text={value} onFold={onFold} />
      </div>
    ))}
  </dl>
)
