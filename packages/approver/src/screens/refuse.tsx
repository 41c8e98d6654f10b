import type { PendingConfirmation } from '@countersign/client-sdk'
import type { ComponentChildren } from 'preact'
import { disown, reject, withdraw } from '../answers.ts'
import type { IconName } from '../icons.tsx'
import { Action, Field } from '../parts.tsx'
import { Sheet } from '../sheet.tsx'
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

const reasonIn = (form: HTMLFormElement | null): string => String(new FormData(form ?? undefined).get('reason') ?? '').trim()

/** The button that opens the ways to refuse a request, each with what it does. */
export const Refuse = ({ request }: { readonly request: PendingConfirmation }) => {
  const { requester, subject, approval, actionType } = request.statement
  const isVote = approval !== undefined
  const isOwn = requester.kind === 'user' && requester.id === subject.id && actionType !== 'device_register'
  const reason = () => reasonIn(document.querySelector<HTMLFormElement>('form.question'))
  return (
    <Sheet button={t('reject')} kind="reject" title={t('rejectAsk')}>
      <Field name="reason" label={t('reason')} optional />
      <Way name={t('reject')} icon="cross" kind="danger" action={() => reject(request, reason())}>
        {t(isVote ? 'rejectVoteWhen' : 'rejectWhen')}
      </Way>
      <Way name={t(isVote ? 'notExpected' : 'notMe')} icon="shield" kind="danger" action={() => disown(request, reason())}>
        {t(isVote ? 'notExpectedWhen' : 'notMeWhen')}
      </Way>
      {isOwn && (
        <Way name={t('withdraw')} icon="undo" action={() => withdraw(request)}>
          {t('withdrawWhen')}
        </Way>
      )}
    </Sheet>
  )
}
