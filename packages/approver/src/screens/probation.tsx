import { showDate } from '../dates.ts'
import { Action, Field, Form, Heading, State } from '../parts.tsx'
import { hasKey, stopHere, useCode } from '../phone.ts'
import { askOthers, probation } from '../probation.ts'
import { Sheet } from '../sheet.tsx'
import { now, TimeLeft } from '../time.tsx'
import { t } from '../words.ts'

/** The number that the other phone types; without one, how the last question ended and the button that asks again. */
const Vouching = () => {
  const { status, matchNumber, expiresAt, triesLeft } = probation.value?.vouching ?? {}
  const isOver = expiresAt == null || Date.parse(expiresAt) <= now.value
  if (status === 'pending' && matchNumber != null && !isOver)
    return (
      <div class="card stack">
        <span>{t('probationNumber')}</span>
        <strong class="number" role="status">
          {matchNumber}
        </strong>
        <TimeLeft until={expiresAt} />
      </div>
    )
  const ended = status === 'rejected' ? 'probationRefused' : status === 'none' ? undefined : 'probationExpired'
  return (
    <div class="stack">
      <p role="status">{ended === undefined ? '' : t(ended)}</p>
      {triesLeft === 0 ? (
        <p>{t('probationNoTries')}</p>
      ) : (
        <Action kind="main" icon="phone" action={askOthers}>
          {t('probationAsk')}
        </Action>
      )}
    </div>
  )
}

/** This phone on probation: how it becomes trusted. The inbox continues as soon as the phone is trusted. */
export const Probation = () => {
  const { trustedAt = null, hasOther = false, credentialId } = probation.value ?? {}
  return (
    <>
      <State icon="clock" kind="note">
        <Heading>{t('probation')}</Heading>
        <p>
          {trustedAt !== null
            ? t('probationReady', { time: showDate(trustedAt) })
            : t(hasOther ? 'probationOther' : 'probationWait')}
        </p>
      </State>
      {hasOther && probation.value !== undefined && <Vouching />}
      <p class="quiet">{t('probationKeeps')}</p>
      {(hasKey() || credentialId !== undefined) && (
        <details class="card">
          <summary>{t('haveCode')}</summary>
          <Form submit={t('useCode')} action={({ code = '' }) => useCode(code, credentialId)}>
            <Field name="code" label={t('resetCode')} />
          </Form>
        </details>
      )}
      <Sheet button={t('probationCancel')} title={t('probationCancel')}>
        <p>{t('probationCancelWhy')}</p>
        <Action kind="danger" action={stopHere}>
          {t('forget')}
        </Action>
      </Sheet>
    </>
  )
}
