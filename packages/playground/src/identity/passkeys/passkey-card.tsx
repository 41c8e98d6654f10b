import { formValues } from '../../form-values.ts'
import { attempt } from '../../pane/attempt.ts'
import { pane } from '../../pane/pane.ts'
import { bearer } from '../../pane/session.ts'
import { PasskeyItem } from './passkey-item.tsx'
import { passkeys } from './passkeys.ts'

interface CreatePasskey {
  /** Says if the authenticator must, should or need not store the passkey itself, so that a login works without an e-mail. */
  readonly residentKey: 'required' | 'preferred' | 'discouraged'
  /** Says if the authenticator must, should or need not verify the person. */
  readonly userVerification: 'required' | 'preferred' | 'discouraged'
}

const createPasskey = async ({ residentKey, userVerification }: CreatePasskey): Promise<string> => {
  const { credential } = await pane.client.passkeys.create(
    { userVerification, authenticatorSelection: { residentKey, userVerification } },
    bearer(),
  )
  await passkeys.read()
  return `Passkey “${credential.name}” created.`
}

const CHOICES = ['preferred', 'required', 'discouraged'] as const

const Choice = ({ name, label }: { readonly name: keyof CreatePasskey; readonly label: string }) => (
  <label>
    {label}
    <select name={name}>
      {CHOICES.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  </label>
)

export const PasskeyCard = () => {
  passkeys.useReading()
  return (
    <section class="card">
      <h3>Passkeys</h3>
      {passkeys.items.value.length === 0 ? (
        <p class="fine">None yet.</p>
      ) : (
        <ul class="items">
          {passkeys.items.value.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <form
        onSubmit={(event) => {
          const choices = formValues(event) as unknown as CreatePasskey
          void attempt(() => createPasskey(choices))
        }}
      >
        <details>
          <summary>What the authenticator must do</summary>
          <div class="fields">
            <Choice name="residentKey" label="Keep the passkey itself" />
            <Choice name="userVerification" label="Verify the user" />
          </div>
        </details>
        <button type="submit" class="main" aria-disabled={pane.busy.value}>
          Create a passkey
        </button>
      </form>
    </section>
  )
}
