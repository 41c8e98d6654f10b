import type { Pane } from '../../pane/pane.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

export const signInWithPassword = async (pane: Pane, { email, password }: Credentials): Promise<string> => {
  pane.session.value = { kind: 'standard', tokens: await pane.client.auth.login({ email, password }) }
  return 'Signed in with a password.'
}
