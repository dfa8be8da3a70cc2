/** Checks a whole set before any write: all reasons for which the ledger would refuse a command. */
import { fromFuture } from '../../../protocol/clocks.ts'
import { fail, invalid } from '../../errors.ts'
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
  { limits, now, yieldLoop }: Pick<KbdOptions, 'limits' | 'now' | 'yieldLoop'>,
): Promise<void> {
  const time = { nowMs: now(), windowFutureMs: limits.windowFutureMs }
  /** `issuedAtMs` of the commands of the set that come before the one that is checked. */
  const before = new Map<string, number>()
  let root: string | null = null
  for (let from = 0; from < commands.length; from += SLICE) {
    await store.read((ledger) => {
      root ??= ledger.root(project)
      for (let index = from; index < Math.min(commands.length, from + SLICE); index++) {
        const command = commands[index] as ReadCommand
        const refusal = refusalOf(ledger, command, root, before, time)
        if (refusal !== undefined) throw refusal(index)
        root ??= command.id
        before.set(command.id, command.envelope.issuedAtMs)
      }
    })
    await yieldLoop()
  }
}

type Refusal = (index: number) => Error

/** The checks of an admission, in the order of the ledger. Undefined if the command is known or would be taken. */
function refusalOf(
  ledger: Pick<KbdReads, 'issuedAtMs'>,
  { id, project, envelope }: ReadCommand,
  root: string | null,
  before: ReadonlyMap<string, number>,
  { nowMs, windowFutureMs }: { readonly nowMs: number; readonly windowFutureMs: number },
): Refusal | undefined {
  const issuedAtMs = (of: string): number | undefined => before.get(of) ?? ledger.issuedAtMs(project, of)
  if (issuedAtMs(id) !== undefined) return undefined
  if (envelope.issuedAtMs > nowMs + windowFutureMs) {
    const explained = fromFuture(envelope.issuedAtMs, nowMs, windowFutureMs)
    return (index) => fail('request_from_future', { ...explained, details: { index } })
  }
  const { heads } = envelope.expectedFrontier
  if (root !== null && heads.length === 0) return (index) => fail('project_mismatch', { details: { index } })
  const parents = heads.map(issuedAtMs)
  if (parents.includes(undefined)) return (index) => fail('frontier_unknown', { details: { index } })
  if (parents.some((atMs) => atMs !== undefined && atMs > envelope.issuedAtMs))
    return (index) => invalid('/issuedAtMs', { index })
  return undefined
}
