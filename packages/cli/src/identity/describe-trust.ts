/** Returns the trust of a device or passkey in words, for a table. */
export const describeTrust = ({
  trusted,
  trustedAt,
}: {
  readonly trusted: boolean
  readonly trustedAt: string | null
}): string => {
  if (trusted) return 'trusted'
  return trustedAt === null ? 'on probation' : `from ${trustedAt}`
}
