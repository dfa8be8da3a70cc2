/** Finds the import chains that bring files into a bundle. */
import type { BundleAccount } from '../../build/account/account.ts'

/** Highest number of listed chains. */
const MOST = 20

/**
 * All shortest import chains from the entry to the nearest of `targets`. `more` is the number of chains that are left
 * out.
 */
export function shortestChains(
  { entry, inputs }: Pick<BundleAccount, 'entry' | 'inputs'>,
  targets: ReadonlySet<string>,
): { chains: string[][]; more: number } {
  const from = new Map<string, string[]>([[entry, []]])
  let level = [entry]
  while (level.length > 0 && !level.some((file) => targets.has(file))) {
    const next = new Map<string, string[]>()
    for (const file of level) {
      for (const to of inputs[file]?.imports ?? []) {
        if (!from.has(to)) next.set(to, [...(next.get(to) ?? []), file])
      }
    }
    for (const [to, importers] of next) from.set(to, importers)
    level = [...next.keys()]
  }
  const counts = new Map<string, number>()
  const countTo = (file: string): number => {
    const cachedCount = counts.get(file)
    if (cachedCount !== undefined) return cachedCount
    const importers = from.get(file)!
    const count = importers.length === 0 ? 1 : importers.reduce((sum, importer) => sum + countTo(importer), 0)
    counts.set(file, count)
    return count
  }
  const ends = level.filter((file) => targets.has(file)).sort()
  const chains: string[][] = []
  const walk = (file: string, behind: readonly string[]): void => {
    if (chains.length >= MOST) return
    const importers = from.get(file)!
    if (importers.length === 0) chains.push([file, ...behind])
    for (const importer of [...importers].sort()) walk(importer, [file, ...behind])
  }
  for (const end of ends) walk(end, [])
  return { chains, more: ends.reduce((sum, end) => sum + countTo(end), 0) - chains.length }
}
