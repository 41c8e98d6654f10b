import { signal } from '@preact/signals'
import { showNearDate } from './dates.ts'
import { t } from './words.ts'

/** By how many milliseconds the clock of the service is ahead of this phone's, which may be wrong. */
export const lead = signal(0)

/** Milliseconds since 1970 by the clock of the service, updated every second. */
export const now = signal(Date.now())
const tick = (): void => {
  now.value = Date.now() + lead.value
}
setInterval(tick, 1000)
lead.subscribe(tick)

/** The page counts seconds only below these, because nobody hurries before. */
const COUNTED = 10 * 60

const twoDigits = (count: number): string => String(count).padStart(2, '0')

/** The time that is left for an answer. Screen readers read it on demand, and announce no second. */
export const TimeLeft = ({ until }: { readonly until: string }) => {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now.value) / 1000))
  const clock = `${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`
  return (
    <time class={seconds < 60 ? 'left soon' : 'left'} dateTime={until}>
      {seconds === 0
        ? t('timeOver')
        : seconds < COUNTED
          ? t('timeLeft', { time: clock })
          : t('timeUntil', { time: showNearDate(until, now.value) })}
    </time>
  )
}
