import { useEffect, useState } from 'preact/hooks'
import { act } from '../action-outcome.ts'
import { Action, Field, Form, Heading } from '../parts.tsx'
import { setPassword } from '../phone.ts'
import { go } from '../route.ts'
import { createService } from '../settings.ts'
import { t } from '../words.ts'

/** Sets a password by a code. Opening the screen uses no code, because programs open the links of mails. */
export const NewPassword = ({ code }: { readonly code: string }) => {
  const [email, setEmail] = useState('')
  const check = async (): Promise<void> => setEmail((await createService().password.checkCode({ code })).email)
  useEffect(() => void act(check), [])
  return (
    <>
      <Heading>{t('setPassword')}</Heading>
      {email === '' ? (
        <Action kind="main" action={check}>
          {t('stoppedAgain')}
        </Action>
      ) : (
        <>
          <p>{t('passwordFor', { email })}</p>
          <Form submit={t('setPassword')} action={({ newPassword = '' }) => setPassword(code, newPassword)}>
            <Field name="newPassword" label={t('newPassword')} type="password" autocomplete="new-password" />
          </Form>
        </>
      )}
      <Action action={async () => go('')}>{t('back')}</Action>
    </>
  )
}
