/** The accounts that the tool moves money from and to, in cents, so that no sum is rounded. */
export const createBank = (cents: number) => {
  let balance = cents
  const received = new Map<string, number>()
  return {
    balance: (): number => balance,
    balanceOf: (recipient: string): number => received.get(recipient) ?? 0,
    /** Moves money. @throws RangeError if the balance is too low */
    move: (recipient: string, amount: number): void => {
      if (amount > balance) throw new RangeError('The balance is too low')
      balance -= amount
      received.set(recipient, (received.get(recipient) ?? 0) + amount)
    },
  }
}

export type Bank = ReturnType<typeof createBank>
