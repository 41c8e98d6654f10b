import type { PendingConfirmation } from '@countersign/client-sdk'
import type { ComponentChildren } from 'preact'
import { disown, reject, withdraw } from '../answers.ts'
import type { IconName } from '../icons.tsx'
import { Action } from '../parts.tsx'
import { reasonField, reasonIdOf, reasonOf } from '../reasons.tsx'
import { Sheet } from '../sheet.tsx'
import { isOwnRequest } from '../waiting-requests.ts'
import { t } from '../words.ts'

interface WayProps {
  readonly name: string
  readonly icon: IconName
  readonly kind?: 'plain' | 'danger'
  readonly action: () => Promise<unknown>
  /** When this way is the right one, and what it does. */
  readonly children: ComponentChildren
}

const Way = ({ name, icon, kind = 'plain', action, children }: WayProps) => (
  <div class="way">
    <p class="quiet small">{children}</p>
    <Action icon={icon} kind={kind} action={action}>
      {name}
    </Action>
  </div>
)

/** The button that opens the ways to refuse a request, each with what it does. */
export const Refuse = ({ request }: { readonly request: PendingConfirmation }) => {
  const { approval, actionType } = request.statement
  const isVote = approval !== undefined
  const id = reasonIdOf(request)
  return (
    <Sheet button={t('reject')} kind="reject" title={t('rejectAsk')}>
      <label class="field">
        {t('reason')}
        <input {...reasonField(id)} autocomplete="off" maxLength={255} />
      </label>
      <Way name={t('reject')} icon="cross" kind="danger" action={() => reject(request, reasonOf(id))}>
        {t(isVote ? 'rejectVoteWhen' : 'rejectWhen')}
      </Way>
      <Way name={t(isVote ? 'notExpected' : 'notMe')} icon="shield" kind="danger" action={() => disown(request, reasonOf(id))}>
        {t(isVote ? 'notExpectedWhen' : 'notMeWhen')}
      </Way>
      {isOwnRequest(request) && actionType !== 'device_register' && (
        <Way name={t('withdraw')} icon="undo" action={() => withdraw(request)}>
          {t('withdrawWhen')}
        </Way>
      )}
    </Sheet>
  )
}
