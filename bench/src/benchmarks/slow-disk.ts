import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../harness/bench.ts'
import { fillDatabase, noRateLimits, startCountersign } from '../harness/countersign.ts'
import { goFirst } from '../harness/program.ts'
import { inRounds } from '../harness/round.ts'
import { figures } from '../measure.ts'
import { holdDevices, introspection } from '../seeds.ts'

const DELAY = 10
const CLIENTS = 15
/** Milliseconds of each of 15 refreshes at once, when 800 a second are done. */
const REFRESH_MOST = (CLIENTS * 1000) / 800

/** Makes each flush of a file take longer, as on a slow disk, where only the caller waits. */
const preload = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static int slowly(const char *name, int fd) {
  int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = flush(fd);
  usleep(${DELAY}000);
  return result;
}
int fsync(int fd) { return slowly("fsync", fd); }
int fdatasync(int fd) { return slowly("fdatasync", fd); }
`

/** Returns the compiled library; `undefined` on a machine without a C compiler, or on which no library can be preloaded. */
const compilePreload = ({ directory }: Bench): string | undefined => {
  const [source, library] = [join(directory, 'slow.c'), join(directory, 'slow.so')]
  writeFileSync(source, preload)
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  return process.platform === 'linux' && status === 0 ? library : undefined
}

const openServer = async (bench: Bench, name: string, environment: Readonly<Record<string, string>>) => {
  const { database, filled } = await fillDatabase(bench, 'SQLite', (countersign) => holdDevices(countersign, 2 * CLIENTS))
  const server = await startCountersign(bench, database, { ...noRateLimits, ...environment })
  const [refreshing, verified] = [filled.slice(0, CLIENTS), filled.slice(CLIENTS).map(introspection)]
  const refreshes = await bench.drive(name, server, 'refresh', refreshing)
  const verifications = await bench.drive(name, server, 'requests', verified, { perSecond: 200 })
  goFirst(verifications.client)
  return async () => {
    const [refresh, verify] = await Promise.all([refreshes.round(bench.seconds), verifications.round(bench.seconds)])
    const { p50, p99 } = verify.latency ?? { p50: Number.NaN, p99: Number.NaN }
    return { p50, p99, refresh: (refresh.seconds * CLIENTS * 1000) / refresh.operations }
  }
}

export const slowDisk = figures({
  name: 'slow-disk',
  title: 'A disk that is slow to flush, SQLite',
  about: `A service verifies tokens, 200 a second, beside ${CLIENTS} clients that refresh one after another. The same on two servers, one of which needs ${DELAY} ms more for each flush, by a library that a C compiler makes here and that is loaded before all others. Without a compiler, only the other one is measured. Rate limits off.`,
  measure: async (bench) => {
    const library = compilePreload(bench)
    if (library === undefined) bench.tell('no library can be preloaded here, so no disk is slow')
    const quick = await openServer(bench, 'quick', {})
    const slow = library === undefined ? undefined : await openServer(bench, 'slow', { LD_PRELOAD: library })
    const rounds: { readonly quick: Measured; readonly slow: Measured | undefined }[] = []
    await inRounds(bench, async (round) => {
      const one = { quick: await quick(), slow: await slow?.() }
      if (round > 0) rounds.push(one)
    })
    const both = rounds.flatMap((one) => (one.slow === undefined ? [] : [{ quick: one.quick, slow: one.slow }]))
    const beyond = (of: 'p50' | 'p99') => ({
      what: `verify, ${of}: slow disk − 1 ms ÷ this disk`,
      unit: '×' as const,
      values: both.map((one) => (one.slow[of] - 1) / one.quick[of]),
      most: 1.5,
    })
    return [
      ...[beyond('p50'), beyond('p99')],
      {
        what: `a refresh of ${CLIENTS} at once, slow disk`,
        unit: 'ms',
        values: both.map(({ slow: { refresh } }) => refresh),
        most: REFRESH_MOST,
      },
      ...(['p50', 'p99'] as const).flatMap((of) => [
        { what: `verify, ${of}, this disk`, unit: 'ms' as const, values: rounds.map((one) => one.quick[of]) },
        { what: `verify, ${of}, slow disk`, unit: 'ms' as const, values: both.map(({ slow }) => slow[of]) },
      ]),
      { what: `a refresh of ${CLIENTS} at once, this disk`, unit: 'ms', values: rounds.map((one) => one.quick.refresh) },
    ]
  },
})

type Measured = Awaited<ReturnType<Awaited<ReturnType<typeof openServer>>>>
