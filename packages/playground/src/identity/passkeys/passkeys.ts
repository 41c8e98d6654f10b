import type { Output } from '@countersign/contract'
import { signal } from '@preact/signals'
import type { Pane } from '../../pane/pane.ts'
import { bearer, judgeFailure, SessionEnded } from '../../pane/session.ts'

export type Passkey = Output<'passkeys.list'>['credentials'][number]

/** The user's passkeys, as last read. */
export const passkeys = signal<readonly Passkey[]>([])

export const readPasskeys = async (pane: Pane): Promise<void> => {
  passkeys.value = (await pane.client.passkeys.list({}, bearer(pane))).credentials
}

/** Clears the list, because the next user has other passkeys. */
export const forgetPasskeys = (): void => {
  passkeys.value = []
}

export const renamePasskey = async (pane: Pane, credentialId: string, name: string): Promise<string> => {
  await pane.client.passkeys.rename({ credentialId, name }, bearer(pane))
  await readPasskeys(pane)
  return `Renamed to “${name}”.`
}

export const deletePasskey = async (pane: Pane, { id, name }: Passkey): Promise<string> => {
  await pane.client.passkeys.remove({ credentialId: id }, bearer(pane))
  try {
    await readPasskeys(pane)
  } catch (error) {
    const failure = await judgeFailure(pane, error)
    // The deleted passkey had opened this session.
    if (!(failure instanceof SessionEnded)) throw failure
  }
  return `Passkey “${name}” deleted. Sessions that it opened have ended.`
}
