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

/**
 * Checks that a server can keep several copies of the runs.
 * @throws Error if its version is before `FIRST_SAFE`
 */
export function requireSafe(version: string | undefined, replicas: number): void {
  if (replicas > 1 && isOld(version))
    throw new Error(`cluster.replicas above 1 needs nats-server ${FIRST_SAFE} or later, and this one is ${version}`)
}
