import { Contact, ownText } from '../brand.tsx'
import { showDate } from '../dates.ts'
import type { IconName } from '../icons.tsx'
import { Action, Heading, State } from '../parts.tsx'
import { forget, hasKey, leave } from '../phone.ts'
import { askWhetherStopped, clearStopped, type Stopped } from '../stopped.ts'
import { t, type Word } from '../words.ts'
import { continueHere } from './sign-in.tsx'

/** For each way in which a phone stops working: its picture, its heading, and what it means. */
const screens = {
  locked: ['lock', 'stoppedLocked', 'stoppedLockedWhy'],
  disabled: ['lock', 'stoppedDisabled', 'stoppedDisabledWhy'],
  removed: ['phone', 'stoppedRemoved', 'stoppedRemovedWhy'],
  refused: ['cross', 'stoppedRefused', 'stoppedRefusedWhy'],
} as const satisfies Record<Stopped['reason'], readonly [IconName, Word, Word]>

/** A phone that no longer works: why, since when, what that means, and the next step. */
export const StoppedPhone = ({ state: { reason, since } }: { readonly state: Stopped }) => {
  const [icon, heading, why] = screens[reason]
  const isClosed = reason === 'locked' || reason === 'disabled'
  return (
    <>
      <State icon={icon} kind="bad">
        <Heading>{t(heading)}</Heading>
        {since !== undefined && <p class="quiet">{t('stoppedSince', { time: showDate(since) })}</p>}
        <p>{t(why)}</p>
        {isClosed && <p>{(reason === 'locked' && ownText('lockedText')) || t('stoppedHelp')}</p>}
      </State>
      <div class="stack">
        {isClosed ? (
          <Action kind="main" action={hasKey() ? askWhetherStopped : continueHere}>
            {t('stoppedAgain')}
          </Action>
        ) : (
          <Action
            kind="main"
            action={async () => {
              await leave().catch(() => {})
              await forget()
              clearStopped()
            }}
          >
            {t('stoppedSetUp')}
          </Action>
        )}
        <Contact />
      </div>
    </>
  )
}
