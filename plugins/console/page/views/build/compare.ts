/** What two builds differ in, by the owners of their bytes. */
import type { ProvenBundle } from '../../lib/proof.ts'

/** The bytes of an owner on both sides; undefined where a side has none of it. */
export interface Difference {
  readonly owner: string
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The owners that differ, the largest difference first. */
export function differencesOf(from: ProvenBundle, to: ProvenBundle): readonly Difference[] {
  const owners = new Set([...Object.keys(from.in), ...Object.keys(to.in)])
  return [...owners]
    .map((owner): Difference => ({ owner, from: from.in[owner]?.bytes, to: to.in[owner]?.bytes }))
    .filter((one) => one.from !== one.to)
    .sort((one, other) => Math.abs(changeOf(other)) - Math.abs(changeOf(one)) || (one.owner < other.owner ? -1 : 1))
}

/** By how many bytes the second side has more. */
export function changeOf({ from = 0, to = 0 }: Difference): number {
  return to - from
}
