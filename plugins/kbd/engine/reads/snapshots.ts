/** Projects as bytes, kept for as long as they stand where they stood: many who read a board cost one reading of it. */
import type { KbdReads } from './reads.ts'

/** The body of GET project, inside a look at the boards. */
export type Snapshots = (reads: KbdReads, project: string) => Uint8Array

interface Kept {
  /** Where the project stood. */
  readonly at: string
  readonly bytes: Uint8Array
}

/** Makes them; `maxBytes` are kept, the newest always, and who was not asked for the longest goes first. */
export function createSnapshots(maxBytes: number): Snapshots {
  const kept = new Map<string, Kept>()
  const encoder = new TextEncoder()
  let sum = 0
  const drop = (project: string): void => {
    sum -= kept.get(project)?.bytes.length ?? 0
    kept.delete(project)
  }
  return (reads, project) => {
    const at = JSON.stringify(reads.standing(project))
    const known = kept.get(project)
    drop(project)
    const now = known?.at === at ? known : { at, bytes: encoder.encode(reads.snapshotText(project)) }
    kept.set(project, now)
    sum += now.bytes.length
    for (const oldest of kept.keys()) {
      if (sum <= maxBytes || oldest === project) break
      drop(oldest)
    }
    return now.bytes
  }
}
