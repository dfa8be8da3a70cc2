/** Compares two builds by the owners of their bytes. */
import type { ProvenBundle } from '../../lib/proof.ts'

/** The bytes of an owner in both builds; undefined for a build without that owner. */
export interface Difference {
  readonly owner: string
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The owners with different bytes, the largest difference first. */
export function differencesOf(from: ProvenBundle, to: ProvenBundle): readonly Difference[] {
  const owners = new Set([...Object.keys(from.in), ...Object.keys(to.in)])
  return [...owners]
    .map((owner): Difference => ({ owner, from: from.in[owner]?.bytes, to: to.in[owner]?.bytes }))
    .filter((difference) => difference.from !== difference.to)
    .sort((a, b) => Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || (a.owner < b.owner ? -1 : 1))
}

/** The bytes of the second build minus the bytes of the first. */
export function changeOf({ from = 0, to = 0 }: Difference): number {
  return to - from
}
