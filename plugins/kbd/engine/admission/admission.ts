/**
 * Admits commands of peers and imports. Each command is proven alone. A set is added if trusted devices vouch for its
 * heads.
 */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { Applied, Standing } from '../../api.ts'
import { fail } from '../../errors.ts'
import { type ReadCommand, readEnvelope, requireTime, requireValid } from '../commands/envelope.ts'
import { askDevice, isProven, type KbdDevice, type KbdOptions, type KbdTransaction } from '../engine-parts.ts'
import type { KbdLedger } from '../ledger.ts'
import { createMay, type FindDevice, findVouchers, type May, requireVouched } from './vouchers.ts'
import { belowHeads, type PinnedBy } from './vouching.ts'
import { requireWhole } from './whole.ts'

/** The result for a set of commands, and the present standing of the project. */
export interface Admitted extends Standing {
  /** The number of commands that this node has now, counted from the start of the set. */
  readonly accepted: number
  /** The number of those commands that were new. */
  readonly added: number
  /** The refusal of the command after the accepted ones; undefined if no command was refused. */
  readonly refusal: { readonly index: number; readonly commandId: string; readonly error: Error } | undefined
}

/** Options of an admission. */
export interface AdmitOptions {
  /** Refuses the whole set, before any write, if one of its commands would be refused. */
  readonly isWhole?: boolean
  /** Called for each new command, once it is on disk. */
  readonly onAdded?: (applied: Applied) => void
}

/** Adds commands that other nodes have accepted before. */
export interface Admission {
  /** Reads and proves one command of a peer or an import: form, key, signature. */
  prove(value: unknown): Promise<ReadCommand>
  /**
   * Adds proven commands of a project, parents first, up to the first refused command. The commands before it stay. The
   * set is added in transactions of a few milliseconds, between which other work goes on. `pinned` are the heads that a
   * push names; they count while the device that signed the push may push here. Rejects with `signer_unknown` if nobody
   * vouches for a head of the set.
   */
  admit(project: string, commands: readonly ReadCommand[], pinned?: PinnedBy, how?: AdmitOptions): Promise<Admitted>
  /**
   * The same inside a transaction, for the few commands of one push: adds all of them or none. Returns undefined, and
   * writes nothing, if a pinned head is still missing or if a command is not in the past of the pinned heads. Throws
   * the first refusal, and `signer_unknown`. Call the returned function once the commands are on disk.
   */
  admitIn(
    transaction: Required<KbdTransaction>,
    project: string,
    commands: readonly ReadCommand[],
    pinned: PinnedBy,
  ): (() => void) | undefined
}

/** Makes the admission. */
export function createAdmission(options: KbdOptions): Admission {
  const { store, codecs, limits, now, monotonic, yieldLoop } = options
  const admissible = new Map<string, boolean>()
  const notify = (applied: readonly Applied[], standing: Standing): void => {
    for (const one of applied) options.onApplied?.(one, standing)
  }

  return {
    async prove(value) {
      const command = readEnvelope(value, limits.maxCommandBytes, codecs)
      // The signer may be unknown here, so its key is checked. The key of an enrolled device was checked at the
      // enrolment.
      const { signerKeyId } = command.envelope
      if (!admissible.has(signerKeyId)) {
        if (admissible.size >= MAX_KEYS) admissible.clear()
        admissible.set(signerKeyId, codecs.isAdmissibleKey(command.publicKey))
      }
      if (admissible.get(signerKeyId) !== true || !(await isProven(codecs, command))) throw fail('signature_invalid')
      requireTime(command)
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
      if (isWhole) await requireWhole(store, project, commands, yieldLoop)

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
        // The changes are not collected over the whole set, because they may be a thousand times as large as the
        // commands.
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
      const knownIds = ledger.known(project, [...commands.map(({ id }) => id), ...pinned.heads])
      const unknown = commands.filter(({ id }) => !knownIds.has(id))
      const below = belowHeads(unknown, pinned.heads)
      const newIds = new Set(unknown.map(({ id }) => id))
      if (!unknown.every(({ id }) => below.has(id)) || !pinned.heads.every((id) => knownIds.has(id) || newIds.has(id)))
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

/** Milliseconds of one transaction, after which other work goes on. */
const TURN_MS = 10

/**
 * Adds commands from `first` on, until a command is refused or the time is up; tries at least one command. A refused
 * command has written nothing.
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

/** Most keys whose check is remembered. A check takes a millisecond. */
const MAX_KEYS = 10_000
