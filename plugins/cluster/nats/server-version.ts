import type { Logger } from '../../../core/log.ts'

/** The first nats-server whose leader numbers its proposals right when it leads again (`AppendProbe`). */
export const FIRST_SAFE = '2.10.12'
const RIGHT: readonly number[] = [2, 10, 12]

/** Whether the version of a server is before `FIRST_SAFE`; false if it is not known. */
export function isOld(version: string | undefined): boolean {
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number)
  const difference = numbers?.map((number, index) => number - (RIGHT[index] ?? 0)).find((one) => one !== 0)
  return difference !== undefined && difference < 0
}

/** Logs once that a server is old, if the stream of the runs has several copies. */
export function createVersionWarning(log: Logger, replicas: number): (version: string | undefined) => void {
  let isWarned = false
  return (version) => {
    if (isWarned || replicas === 1 || !isOld(version)) return
    isWarned = true
    const problem = 'After a change of leaders NATS may stop to take appends, or lose some that were acknowledged'
    log.warn(`${problem}: use nats-server ${FIRST_SAFE} or later.`, { version })
  }
}
