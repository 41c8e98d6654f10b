import { signal } from '@preact/signals'
import { t } from './words.ts'

/** Milliseconds since 1970, updated every second. */
export const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 1000)

const twoDigits = (count: number): string => String(count).padStart(2, '0')

const clock = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  const tail = `${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
  return minutes < 60 ? tail : `${Math.floor(minutes / 60)}:${tail}`
}

/** The time that is left for an answer. Screen readers read it on demand, and announce no second. */
export const TimeLeft = ({ until }: { readonly until: string }) => {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now.value) / 1000))
  return (
    <time class={seconds < 60 ? 'left soon' : 'left'} dateTime={until}>
      {seconds === 0 ? t('timeOver') : t('timeLeft', { time: clock(seconds) })}
    </time>
  )
}
