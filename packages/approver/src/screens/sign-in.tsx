import { useEffect, useState } from 'preact/hooks'
import { act } from '../action-outcome.ts'
import { ownName } from '../agents.ts'
import { Action, Field, Form, Heading } from '../parts.tsx'
import { enrol, forget, hasKey, leave, phone, setPassword, signIn, signInWithKey, usePasskey, visitor } from '../phone.ts'
import { go } from '../route.ts'
import { createService, settings } from '../settings.ts'
import { showStopped } from '../stopped.ts'
import { language, t } from '../words.ts'

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

/** Has a code mailed. Says the same for every address, so that nobody learns who has an account. */
const ForgotForm = () => (
  <Form
    submit={t('sendCode')}
    action={async ({ email = '' }) => {
      await createService().password.forgot({ email, languages: language.value })
      return t('codeSent')
    }}
  >
    <Field name="email" label={t('email')} type="email" autocomplete="username" />
  </Form>
)

export const SignIn = () => {
  const { demoUser } = settings
  return (
    <>
      <Heading>{t('signIn')}</Heading>
      <p class="quiet">{t('signInWhy')}</p>
      {demoUser !== null && (
        <Action kind="main" action={() => signIn(demoUser)}>
          {t('asDemoUser')}
        </Action>
      )}
      <Form submit={t('withPassword')} action={({ email = '', password = '' }) => signIn({ email, password })}>
        <Field name="email" label={t('email')} type="email" autocomplete="username" />
        <Field name="password" label={t('password')} type="password" autocomplete="current-password" />
      </Form>
      {'PublicKeyCredential' in globalThis && <Action action={() => signIn()}>{t('withPasskey')}</Action>}
      {settings.forgot && (
        <details class="card">
          <summary>{t('forgot')}</summary>
          <ForgotForm />
        </details>
      )}
      <details class="card">
        <summary>{t('haveResetCode')}</summary>
        <Form submit={t('useCode')} action={async ({ code = '' }) => go(`password/${encodeURIComponent(code)}`)}>
          <Field name="code" label={t('resetCode')} />
        </Form>
      </details>
    </>
  )
}

/** Makes this phone a device of the person who has signed in. */
export const Enrol = () => (
  <>
    <Heading>{t('enrol')}</Heading>
    <p class="quiet">{t('enrolWhy')}</p>
    <p>{t('signedInAs', { email: visitor.value?.email ?? '' })}</p>
    <Form
      submit={t('useThisPhone')}
      other={settings.passkeyApprovals && 'PublicKeyCredential' in globalThis ? t('usePasskey') : undefined}
      action={({ name = '', code = '', other }) => (other === undefined ? enrol(name, code) : usePasskey(code))}
    >
      <Field name="name" label={t('deviceName')} value={ownName()} />
      <Field name="code" label={t('enrolmentCode')} optional />
    </Form>
    <Action action={leave}>{t('otherAccount')}</Action>
  </>
)

/** Opens a session again; or shows why the service refuses this phone. */
export const continueHere = (): Promise<void> =>
  signInWithKey().catch((error: unknown) => {
    if (!showStopped(error)) throw error
  })

export const Continue = () => {
  const [isSure, setSure] = useState(false)
  return (
    <>
      <Heading>{t('continue')}</Heading>
      <p class="quiet">{t(hasKey() ? 'continueWhy' : 'continuePasskey', { email: phone.value?.email ?? '' })}</p>
      <Action kind="main" action={continueHere}>
        {t('continue')}
      </Action>
      <Action action={async () => (isSure ? forget() : setSure(true))}>{isSure ? t('forget') : t('otherAccount')}</Action>
    </>
  )
}
