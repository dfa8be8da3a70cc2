/** Checks a whole set before any write: all reasons for which the ledger would refuse a command. */
import { fail } from '../../errors.ts'
import type { ReadCommand } from '../commands/envelope.ts'
import type { KbdOptions } from '../engine-parts.ts'
import type { KbdReads } from '../reads/reads.ts'

/** Commands that are checked in one read of the store. */
const SLICE = 256

/** Throws the refusal of the first command that the ledger would refuse, with its `index` in the details. */
export async function requireWhole(
  store: KbdOptions['store'],
  project: string,
  commands: readonly ReadCommand[],
  yieldLoop: KbdOptions['yieldLoop'],
): Promise<void> {
  /** The commands of the set that come before the one that is checked. */
  const before = new Set<string>()
  let root: string | null = null
  for (let from = 0; from < commands.length; from += SLICE) {
    await store.read((ledger) => {
      root ??= ledger.root(project)
      for (let index = from; index < Math.min(commands.length, from + SLICE); index++) {
        const command = commands[index] as ReadCommand
        const refusal = refusalOf(ledger, command, root, before)
        if (refusal !== undefined) throw fail(refusal, { details: { index } })
        root ??= command.id
        before.add(command.id)
      }
    })
    await yieldLoop()
  }
}

/** The checks of an admission, in the order of the ledger. Undefined if the command is known or would be taken. */
function refusalOf(
  ledger: Pick<KbdReads, 'known'>,
  { id, project, envelope }: ReadCommand,
  root: string | null,
  before: ReadonlySet<string>,
): 'project_mismatch' | 'frontier_unknown' | undefined {
  const { heads } = envelope.expectedFrontier
  const knownIds = ledger.known(project, [id, ...heads])
  if (knownIds.has(id) || before.has(id)) return undefined
  if (root !== null && heads.length === 0) return 'project_mismatch'
  return heads.every((head) => knownIds.has(head) || before.has(head)) ? undefined : 'frontier_unknown'
}
