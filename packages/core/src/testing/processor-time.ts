/** Returns the milliseconds of processor time that the work takes in this process. Other load barely changes them. */
export const processorTimeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
