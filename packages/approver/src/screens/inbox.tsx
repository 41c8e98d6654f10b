import type { PendingConfirmation } from '@countersign/client-sdk'
import { ownText } from '../brand.tsx'
import { Offers } from '../offers.tsx'
import { Heading, State } from '../parts.tsx'
import { isNew } from '../phone.ts'
import { TimeLeft } from '../time.tsx'
import { offlineSince, waiting, wordsOf } from '../waiting-requests.ts'
import { t } from '../words.ts'

const Item = ({ request }: { readonly request: PendingConfirmation }) => {
  const words = wordsOf(request)
  return (
    <li>
      <a class="item asked" href={`#/request/${encodeURIComponent(request.confirmationId)}`}>
        <span lang={words?.language} dir={words?.direction}>
          <span class="title">{words?.title ?? t('noWords')}</span>
          <strong>{words?.lines[0]?.value}</strong>
          <span class="quiet">{words?.lines[1]?.value}</span>
        </span>
        <TimeLeft until={request.expiresAt} />
      </a>
    </li>
  )
}

export const Inbox = () => {
  const requests = waiting.value
  const count = requests?.length ?? 0
  return (
    <>
      <Heading>{t('inbox')}</Heading>
      <p role="status" class="quiet">
        {requests === undefined
          ? t(offlineSince.value === undefined ? 'loading' : 'unread')
          : count === 0
            ? ''
            : t(count === 1 ? 'waitingOne' : 'waitingMany', { count })}
      </p>
      {requests !== undefined && count === 0 && (
        <State>
          <h2>{t('waitingNone')}</h2>
          <p class="quiet">{ownText('emptyInboxText') ?? t('waitingNoneWhy')}</p>
        </State>
      )}
      <ul class="items">
        {requests?.map((request) => (
          <Item key={request.confirmationId} request={request} />
        ))}
      </ul>
      {requests !== undefined && (count === 0 || isNew.value) && <Offers />}
    </>
  )
}
