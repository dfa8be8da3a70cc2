/** The admission of what peers and imports bring: commands proven one by one, taken as sets that somebody vouches for. */
import { isSvcError } from '../../../../core/errors.ts'
import type { Applied, Standing } from '../../api.ts'
import { fail } from '../../errors.ts'
import { type ReadCommand, readEnvelope, requireValid } from '../commands/envelope.ts'
import { askDevice, isProven, type KbdDevice, type KbdOptions, type KbdTransaction } from '../engine-parts.ts'
import type { KbdLedger } from '../ledger.ts'
import { createMay, type FindDevice, findVouchers, type May, requireVouched } from './vouchers.ts'
import { belowHeads, type PinnedBy } from './vouching.ts'
import { requireWhole } from './whole.ts'

/** What came of a set of commands. */
export interface Admitted extends Standing {
  /** The number of commands that this node has now, from the start of the set. */
  readonly accepted: number
  /** How many of them were new. */
  readonly added: number
  /** Why the next command was refused; undefined if none was. */
  readonly refusal: { readonly index: number; readonly commandId: string; readonly error: Error } | undefined
}

/** How a set is admitted. */
export interface AdmitOptions {
  /** Refuse the set before anything of it is written, if a command of it would be refused. */
  readonly isWhole?: boolean
  /** Called for each new command, once it is on disk. */
  readonly onAdded?: (applied: Applied) => void
}

/** Takes commands that others have taken before. */
export interface Admission {
  /** Reads and proves one command of a peer or an import: form, key, signature. */
  prove(value: unknown): Promise<ReadCommand>
  /**
   * Takes proven commands of a project, parents first, up to the first bad one; those before it stay. They are taken in
   * transactions of some milliseconds, between which other work goes on. `pinned` are
   * the heads of a push that is trusted; it counts for as long as the device that signed it may push here. Rejects with
   * `signer_unknown` where nobody vouches for a head of the set.
   */
  admit(project: string, commands: readonly ReadCommand[], pinned?: PinnedBy, how?: AdmitOptions): Promise<Admitted>
  /**
   * The same inside a transaction, for the few commands of a push that is to be had whole: all of them or none. Undefined, with
   * nothing written, where with them something pinned is still missing, or one of them lies beside what is pinned. Throws the
   * first refusal, and `signer_unknown`. What it gives is to be called once they are on disk.
   */
  admitIn(
    transaction: Required<KbdTransaction>,
    project: string,
    commands: readonly ReadCommand[],
    pinned: PinnedBy,
  ): (() => void) | undefined
}

/** Makes it. */
export function createAdmission(options: KbdOptions): Admission {
  const { store, codecs, limits, now, monotonic, yieldLoop } = options
  const admissible = new Map<string, boolean>()
  const notify = (applied: readonly Applied[], standing: Standing): void => {
    for (const one of applied) options.onApplied?.(one, standing)
  }

  return {
    async prove(value) {
      const command = readEnvelope(value, limits.maxCommandBytes, codecs)
      // Whoever signed need not be enrolled here, so the key itself is put to the rule.
      const { signerKeyId } = command.envelope
      if (!admissible.has(signerKeyId)) {
        if (admissible.size >= MAX_KEYS) admissible.clear()
        admissible.set(signerKeyId, codecs.isAdmissibleKey(command.publicKey))
      }
      if (admissible.get(signerKeyId) !== true || !(await isProven(codecs, command))) throw fail('signature_invalid')
      requireValid(command, codecs)
      return command
    },

    async admit(project, commands, pinned, { isWhole = false, onAdded } = {}) {
      requireOf(project, commands)
      const devices = new Map<string, KbdDevice | undefined>()
      const signers = commands.map(({ envelope }) => envelope.signerKeyId)
      for (const keyId of pinned === undefined ? signers : [...signers, pinned.signerKeyId])
        if (!devices.has(keyId)) devices.set(keyId, await askDevice(options, keyId))
      const vouchers = await store.read((ledger) => findVouchers(ledger, project, commands, pinned))
      const may = (find: FindDevice): May => createMay(find, project, now())
      requireVouched(
        vouchers,
        may((keyId) => devices.get(keyId)),
      )
      if (isWhole) await requireWhole(store, project, commands, options)

      let refusal: Admitted['refusal']
      let accepted = 0
      let added = 0
      while (refusal === undefined && accepted < commands.length) {
        const done = await store.write((transaction) => {
          // A device may have been revoked since the transaction before.
          if (transaction.device !== undefined) requireVouched(vouchers, may(transaction.device))
          const untilMs = monotonic() + TURN_MS
          return admitAll(transaction.ledger, commands, accepted, now(), () => monotonic() >= untilMs)
        })
        accepted = done.accepted
        added += done.applied.length
        refusal = done.refusal
        // Nothing is kept for the whole set: what commands change may be a thousand times their own size.
        const last = done.applied.at(-1)
        if (last !== undefined) notify(done.applied, last)
        for (const one of done.applied) onAdded?.(one)
        await yieldLoop()
      }
      const standing = await store.read((ledger) => ledger.standing(project))
      return { accepted, added, refusal, ...standing }
    },

    admitIn({ ledger, device }, project, commands, pinned) {
      requireOf(project, commands)
      const known = ledger.known(project, [...commands.map(({ id }) => id), ...pinned.heads])
      const unknown = commands.filter(({ id }) => !known.has(id))
      const below = belowHeads(unknown, pinned.heads)
      const given = new Set(unknown.map(({ id }) => id))
      if (!unknown.every(({ id }) => below.has(id)) || !pinned.heads.every((id) => known.has(id) || given.has(id)))
        return undefined
      requireVouched(findVouchers(ledger, project, commands, pinned), createMay(device, project, now()))
      const { applied, refusal } = admitAll(ledger, unknown, 0, now(), () => false)
      if (refusal !== undefined) throw refusal.error
      const last = applied.at(-1)
      if (last === undefined) return () => undefined
      return () => notify(applied, last)
    },
  }
}

function requireOf(project: string, commands: readonly ReadCommand[]): void {
  if (commands.some((command) => command.project !== project)) throw fail('project_mismatch')
}

/** Processor time of one transaction, after which others have their turn. */
const TURN_MS = 10

/**
 * Adds commands from `first` on, up to the first that is refused, or until time is up; at least one. A command is refused
 * before anything of it is written.
 */
function admitAll(
  ledger: KbdLedger,
  commands: readonly ReadCommand[],
  first: number,
  nowMs: number,
  isTimeUp: () => boolean,
): { readonly accepted: number; readonly applied: readonly Applied[]; readonly refusal: Admitted['refusal'] } {
  const applied: Applied[] = []
  let accepted = first
  for (const command of commands.slice(first)) {
    if (accepted > first && isTimeUp()) break
    try {
      const one = ledger.admit(command, nowMs)
      if (one !== undefined) applied.push(one)
    } catch (error) {
      if (!isSvcError(error) || error.status >= 500) throw error
      return { accepted, applied, refusal: { index: accepted, commandId: command.id, error } }
    }
    accepted++
  }
  return { accepted, applied, refusal: undefined }
}

/** Keys whose form was judged; a judgement takes a millisecond. */
const MAX_KEYS = 10_000
