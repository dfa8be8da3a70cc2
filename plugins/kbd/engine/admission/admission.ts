/** The admission of what peers and imports bring: commands proven one by one, taken as sets that somebody vouches for. */
import { isSvcError } from '../../../../core/errors.ts'
import type { Applied, Standing } from '../../api.ts'
import { fail } from '../../errors.ts'
import { type ReadCommand, readEnvelope, requireValid } from '../commands/envelope.ts'
import { allows } from '../commands/scopes.ts'
import { askDevice, isActive, isProven, type KbdDevice, type KbdOptions, type KbdTransaction } from '../engine-parts.ts'
import type { KbdLedger } from '../ledger.ts'
import { belowHeads, findUnvouched } from './vouching.ts'

/** What came of a set of commands. */
export interface Admitted extends Standing {
  /** Commands that are here now; the first so many of the set. */
  readonly accepted: number
  /** Of those, what was new. */
  readonly applied: readonly Applied[]
  /** Why the next one was not taken, where one was not. */
  readonly refusal: { readonly index: number; readonly commandId: string; readonly error: Error } | undefined
}

/** The heads that a push names, and who signed it. */
export interface PinnedBy {
  readonly heads: readonly string[]
  readonly signerKeyId: string
}

/** Takes commands that others have taken before. */
export interface Admission {
  /** Reads and proves one command of a peer or an import: form, key, signature. */
  prove(value: unknown): Promise<ReadCommand>
  /**
   * Takes proven commands of a project, parents first, up to the first bad one; those before it stay. `pinned` are
   * the heads of a push that is trusted; it counts for as long as the device that signed it may push here. Rejects with
   * `signer_unknown` where nobody vouches for a head of the set.
   */
  admit(project: string, commands: readonly ReadCommand[], pinned?: PinnedBy): Promise<Admitted>
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
  const { store, codecs, limits, now } = options
  const admissible = new Map<string, boolean>()
  const tell = (applied: readonly Applied[], standing: Standing): void => {
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

    async admit(project, commands, pinned) {
      requireOf(project, commands)
      const devices = new Map<string, KbdDevice | undefined>()
      const signers = commands.map(({ envelope }) => envelope.signerKeyId)
      for (const keyId of pinned === undefined ? signers : [...signers, pinned.signerKeyId])
        if (!devices.has(keyId)) devices.set(keyId, await askDevice(options, keyId))
      const unknown = await store.read((ledger) => {
        const known = ledger.known(
          project,
          commands.map(({ id }) => id),
        )
        return commands.filter(({ id }) => !known.has(id))
      })
      const vouch = (find: FindDevice): void => requireVouched(project, commands, unknown, find, pinned)
      vouch((keyId) => devices.get(keyId))

      const applied: Applied[] = []
      let refusal: Admitted['refusal']
      let accepted = 0
      while (refusal === undefined && accepted < commands.length) {
        const chunk = commands.slice(accepted, accepted + CHUNK)
        const done = await store.write((transaction) => {
          // What was asked before may have changed since.
          if (transaction.device !== undefined) vouch(transaction.device)
          return admitAll(transaction.ledger, chunk, now())
        })
        applied.push(...done.applied)
        accepted += done.accepted
        const { error } = done
        if (error !== undefined) refusal = { index: accepted, commandId: commands[accepted]!.id, error }
      }
      const standing = await store.read((ledger) => ledger.standing(project))
      tell(applied, standing)
      return { accepted, applied, refusal, ...standing }
    },

    admitIn({ ledger, device }, project, commands, pinned) {
      requireOf(project, commands)
      const known = ledger.known(project, [...commands.map(({ id }) => id), ...pinned.heads])
      const unknown = commands.filter(({ id }) => !known.has(id))
      const below = belowHeads(unknown, pinned.heads)
      const given = new Set(unknown.map(({ id }) => id))
      if (!unknown.every(({ id }) => below.has(id)) || !pinned.heads.every((id) => known.has(id) || given.has(id)))
        return undefined
      requireVouched(project, commands, unknown, device, pinned)
      const { applied, error } = admitAll(ledger, unknown, now())
      if (error !== undefined) throw error
      const last = applied.at(-1)
      if (last === undefined) return () => undefined
      const { frontier, headCount, revision } = last
      return () => tell(applied, { frontier, headCount, revision })
    },
  }

  /** Throws `signer_unknown` for the first head of what is new that nobody vouches for. */
  function requireVouched(
    project: string,
    commands: readonly ReadCommand[],
    unknown: readonly ReadCommand[],
    find: FindDevice,
    pinned: PinnedBy | undefined,
  ): void {
    const may = (keyId: string, verb: string): boolean => {
      const device = find(keyId)
      return device !== undefined && isActive(device, now()) && allows(device.scopes, 'kbd-control', project, verb)
    }
    const heads = pinned !== undefined && may(pinned.signerKeyId, 'push') ? pinned.heads : []
    const bad = findUnvouched(unknown, ({ signerKeyId, command }) => may(signerKeyId, command.type), heads)
    if (bad !== undefined) throw unvouched(commands.indexOf(unknown[bad]!), unknown[bad]!)
  }
}

type FindDevice = (keyId: string) => KbdDevice | undefined

function requireOf(project: string, commands: readonly ReadCommand[]): void {
  if (commands.some((command) => command.project !== project)) throw fail('project_mismatch')
}

/** Commands of a set in one transaction, so that others have their turn between. */
const CHUNK = 64

/** Adds commands up to the first that is refused: a refusal comes before anything of that command is written. */
function admitAll(
  ledger: KbdLedger,
  commands: readonly ReadCommand[],
  nowMs: number,
): { readonly accepted: number; readonly applied: readonly Applied[]; readonly error?: Error } {
  const applied: Applied[] = []
  for (const [accepted, command] of commands.entries()) {
    try {
      const one = ledger.admit(command, nowMs)
      if (one !== undefined) applied.push(one)
    } catch (error) {
      if (!isSvcError(error) || error.status >= 500) throw error
      return { accepted, applied, error }
    }
  }
  return { accepted: commands.length, applied }
}

/** Keys whose form was judged; a judgement takes a millisecond. */
const MAX_KEYS = 10_000

function unvouched(index: number, { id }: ReadCommand): Error {
  return fail('signer_unknown', { details: { index, commandId: id } })
}
