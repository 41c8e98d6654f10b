/** The client of a login, as the host reports it. */
export interface FromClient {
  /** The address of the client, normalised by the host. All failed logins without an address count for one client. */
  readonly address?: string
}
