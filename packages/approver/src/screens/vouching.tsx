import type { PendingConfirmation } from '@countersign/client-sdk'
import type { ShownDisplay } from '@countersign/client-sdk/display'
import type { ComponentChildren } from 'preact'
import { nameOfAgent } from '../agents.ts'
import { showNearDate } from '../dates.ts'
import { Heading } from '../parts.tsx'
import { now } from '../time.tsx'
import { t } from '../words.ts'
import { Lines } from './lines.tsx'

interface VouchingProps {
  readonly request: PendingConfirmation
  readonly words: ShownDisplay
  /** The field for the number that the new phone shows. */
  readonly children: ComponentChildren
}

/** Asks whether a new phone or passkey is the person's own. The signed words are folded, because the number decides. */
export const Vouching = ({ request: { actionPayload, requestedFrom }, words, children }: VouchingProps) => {
  const isPasskey = (actionPayload as { readonly deviceType?: unknown }).deviceType === 'passkey'
  return (
    <>
      <Heading>{t(isPasskey ? 'vouchAskPasskey' : 'vouchAsk')}</Heading>
      {requestedFrom !== null && (
        <p>
          {t('vouchFrom', {
            agent: nameOfAgent(requestedFrom.userAgent),
            time: showNearDate(requestedFrom.at, now.value, true),
            address: requestedFrom.address ?? t('unknownAddress'),
          })}
        </p>
      )}
      {children}
      <p>{t(isPasskey ? 'vouchMeansPasskey' : 'vouchMeans')}</p>
      <details class="card">
        <summary>{t('vouchDetails')}</summary>
        <div class="words" lang={words.language} dir={words.direction}>
          <h2>{words.title}</h2>
          <Lines lines={words.lines} />
        </div>
      </details>
    </>
  )
}
