import { useState } from 'preact/hooks'
import { formValues } from '../../form-values.ts'
import { ActionButton } from '../../pane/action-button.tsx'
import { attempt } from '../../pane/attempt.ts'
import { shortId, tellApart } from '../../shared/tell-apart.ts'
import { showDate } from '../../time/dates.ts'
import { deletePasskey, type Passkey, passkeys, renamePasskey } from './passkeys.ts'

export const PasskeyItem = ({ passkey }: { readonly passkey: Passkey }) => {
  const [isRenaming, setRenaming] = useState(false)
  const { id, name, createdAt, lastUsedAt, backedUp } = passkey
  const distinctName = tellApart(passkey, passkeys.items.value)
  return (
    <li>
      <p>
        <strong>{name}</strong> <span class="badge">{backedUp ? 'synchronised' : 'on one device'}</span>
      </p>
      <p class="fine">
        Created {showDate(createdAt)}, {lastUsedAt === null ? 'not used yet' : `last used ${showDate(lastUsedAt)}`},{' '}
        <span class="whole">id …{shortId(id)}</span>
      </p>
      {isRenaming ? (
        <form
          class="inline"
          onSubmit={(event) => {
            const { name: newName = '' } = formValues(event)
            setRenaming(false)
            void attempt(() => renamePasskey(id, newName))
          }}
        >
          <label>
            New name
            <input name="name" required maxLength={255} defaultValue={name} ref={(input) => input?.focus()} />
          </label>
          <button type="submit" class="main">
            Save name
          </button>
          <button type="button" onClick={() => setRenaming(false)}>
            Cancel
          </button>
        </form>
      ) : (
        <div class="actions">
          <button type="button" aria-label={`Rename passkey ${distinctName}`} onClick={() => setRenaming(true)}>
            Rename
          </button>
          <ActionButton kind="danger" label={`Delete passkey ${distinctName}`} action={() => deletePasskey(passkey)}>
            Delete
          </ActionButton>
        </div>
      )}
    </li>
  )
}
