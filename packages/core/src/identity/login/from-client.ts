/** A login as a host hands it on. */
export interface FromClient {
  /**
   * The address of the client, in one spelling for each client that is to count as one. Failed logins without an address count
   * as those of one client.
   */
  readonly address?: string
}
