/** The door for commands: the order of checks at entry, and the admission of what peers and imports bring. */
import { isSvcError } from '../../../core/errors.ts'
import type { AuditChain } from '../../sync/api.ts'
import type { Applied, Standing } from '../api.ts'
import { fail } from '../errors.ts'
import { malformed, type ReadCommand, readBody, readEnvelope, requireValid } from './envelope.ts'
import type { KbdLedger } from './ledger.ts'
import type { DoorCodecs, KbdLimits } from './parts.ts'
import type { KbdReads } from './reads.ts'
import { createRefusals, type RefusalParts } from './refusals.ts'
import { allows } from './scopes.ts'
import { findUnvouched } from './vouching.ts'

/** What the engine asks of a device. */
export interface KbdDevice {
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly status: 'active' | 'revoked'
  readonly expiresAtMs: number | null
}

/** What is there inside a transaction. */
export interface KbdTransaction {
  readonly ledger: KbdLedger
  readonly audit: AuditChain
  /** The device as it is now, where devices live in the same store: a revocation holds from the moment it was answered. */
  device?(keyId: string): KbdDevice | undefined
}

/** Transactions with grouped commits. What `work` throws undoes its writes and rejects. */
export interface KbdStore {
  read<T>(work: (ledger: KbdReads) => T): Promise<T>
  write<T>(work: (transaction: KbdTransaction) => T): Promise<T>
}

/** The parts of an engine. */
export interface KbdOptions extends RefusalParts {
  readonly store: KbdStore
  readonly codecs: DoorCodecs
  readonly limits: KbdLimits
  /** The device of a key, whatever its status. A throw is 503 `authority_unavailable`. */
  readonly device: (keyId: string) => KbdDevice | undefined | Promise<KbdDevice | undefined>
  /** Hears of every command, once it is on disk. */
  readonly onApplied?: ((applied: Applied, standing: Standing) => void) | undefined
}

/** What a command goes through. */
export type CommandStage = 'admit' | 'verify' | 'authorise' | 'commit'

/** Hears of each stage before it begins; from `verify` on, of the type of the command, which may be none that there is. */
export type OnStage = (stage: CommandStage, type?: string) => void

/** What a command came to; the values are those of now. */
export interface Entered extends Standing {
  /** 200: it was here before. */
  readonly status: 200 | 201
  readonly commandId: string
  readonly id: string
  /** Ids of all open conflicts. */
  readonly conflicts: readonly string[]
}

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

/** The engine of boards. */
export interface KbdEngine {
  /** Takes the bytes of a signed command for a project. Rejects with the error that the order of checks meets first. */
  enter(project: string, bytes: Uint8Array, onStage?: OnStage): Promise<Entered>
  /** Reads and proves one command of a peer or an import: form, key, signature. */
  prove(value: unknown): Promise<ReadCommand>
  /**
   * Takes proven commands of a project, parents first, up to the first bad one; those before it stay. `pinned` are
   * the heads of a push that is trusted; it counts for as long as the device that signed it may push here. Rejects with
   * `signer_unknown` where nobody vouches for a head of the set.
   */
  admit(project: string, commands: readonly ReadCommand[], pinned?: PinnedBy): Promise<Admitted>
  /**
   * The same inside a transaction, for few commands: all of them or none. Throws the first refusal, and `signer_unknown`. What
   * it gives is to be called once they are on disk.
   */
  admitIn(
    transaction: Required<KbdTransaction>,
    project: string,
    commands: readonly ReadCommand[],
    pinned?: PinnedBy,
  ): () => void
}

/** Makes the engine. */
export function createKbdEngine(options: KbdOptions): KbdEngine {
  const { store, codecs, limits, now } = options
  const admissible = new Map<string, boolean>()
  const askDevice = async (keyId: string): Promise<KbdDevice | undefined> => {
    try {
      return await options.device(keyId)
    } catch (cause) {
      throw fail('authority_unavailable', { cause })
    }
  }
  const tell = (applied: readonly Applied[], standing: Standing): void => {
    for (const one of applied) options.onApplied?.(one, standing)
  }
  const answer = (ledger: KbdReads, status: 200 | 201, id: string, { project, envelope }: ReadCommand): Entered => ({
    status,
    commandId: envelope.commandId.toLowerCase(),
    id,
    ...ledger.standing(project),
    conflicts: ledger.conflictIds(project),
  })
  /** Step 11: the same again is the same, another under the same name is refused. */
  const replay = (ledger: KbdReads, command: ReadCommand): Entered | undefined => {
    const { envelope, project, id } = command
    const known = ledger.findByCommandId(project, envelope.signerKeyId, envelope.commandId)
    if (known === undefined) return undefined
    // A device that forked may have used the name twice; its peers brought both.
    if (known.id !== id && ledger.command(project, id) === undefined) throw fail('command_id_conflict')
    return answer(ledger, 200, id, command)
  }
  const prove = async (command: ReadCommand): Promise<boolean> =>
    await codecs.verify(command.signature, command.signedBytes, command.publicKey)

  /** Steps 12 to 16. */
  const authorise = async (device: KbdDevice, command: ReadCommand): Promise<void> => {
    const { envelope, project } = command
    if (!(await options.projectExists(project))) throw fail('scope_not_found')
    // A type that is none has no verb: whoever may do everything hears that it is none.
    const { type } = envelope.command as { type?: unknown }
    const verb = typeof type === 'string' ? type : ''
    if (!allows(device.scopes, 'kbd-control', project, verb)) throw fail('signer_not_in_scope')
    const past = envelope.concurrency === 'strict' ? limits.windowPastMs : limits.mergeWindowMs
    if (envelope.issuedAtMs < now() - past) throw fail('request_stale')
    if (envelope.issuedAtMs > now() + limits.windowFutureMs) throw fail('request_from_future')
    requireValid(command, codecs)
  }

  /** One transaction after another: many walks that come together do not hold the loop for their sum. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn: KbdStore['write'] = (work) => {
    const made = last.then(() => store.write(work))
    last = made.catch(() => undefined)
    return made
  }
  const tellRefusal = createRefusals(options)
  /** From step 10 on a refusal is told. */
  const told = async <T>({ project, id, envelope }: ReadCommand, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isSvcError(error) && error.status < 500)
        await tellRefusal({ project, actor: envelope.signerKeyId, subject: id, outcome: error.code })
      throw error
    }
  }

  return {
    async enter(project, bytes, onStage) {
      onStage?.('admit')
      const command = readBody(bytes, limits.maxCommandBytes, codecs)
      if (command.project !== project) throw malformed('/domain')
      const { signerKeyId, command: said } = command.envelope
      onStage?.('verify', typeof said.type === 'string' ? said.type : '')
      const device = await askDevice(signerKeyId)
      if (device === undefined) throw fail('signer_unknown')
      if (!(await prove(command))) throw fail('signature_invalid')
      return told(command, async () => {
        requireActive(device, now())
        const known = await store.read((ledger) => replay(ledger, command))
        if (known !== undefined) return known
        onStage?.('authorise')
        await authorise(device, command)
        onStage?.('commit')
        const isWalk = command.envelope.expectedFrontier.heads.length > MANY_PARENTS
        const { entered, applied } = await (isWalk ? inTurn : store.write)(({ ledger, ...transaction }) => {
          // What was asked before may have changed since.
          const stillThere = transaction.device === undefined ? device : transaction.device(signerKeyId)
          if (stillThere === undefined) throw fail('signer_unknown')
          requireActive(stillThere, now())
          const again = replay(ledger, command)
          if (again !== undefined) return { entered: again, applied: undefined }
          const done = ledger.enter(command, now())
          return { entered: answer(ledger, 201, command.id, command), applied: done }
        })
        if (applied !== undefined) tell([applied], entered)
        return entered
      })
    },

    async prove(value) {
      const command = readEnvelope(value, limits.maxCommandBytes, codecs)
      // Whoever signed need not be enrolled here, so the key itself is put to the rule.
      const { signerKeyId } = command.envelope
      if (!admissible.has(signerKeyId)) {
        if (admissible.size >= MAX_KEYS) admissible.clear()
        admissible.set(signerKeyId, codecs.isAdmissibleKey(command.publicKey))
      }
      if (admissible.get(signerKeyId) !== true || !(await prove(command))) throw fail('signature_invalid')
      requireValid(command, codecs)
      return command
    },

    async admit(project, commands, pinned) {
      requireOf(project, commands)
      const devices = new Map<string, KbdDevice | undefined>()
      const signers = commands.map(({ envelope }) => envelope.signerKeyId)
      for (const keyId of pinned === undefined ? signers : [...signers, pinned.signerKeyId])
        if (!devices.has(keyId)) devices.set(keyId, await askDevice(keyId))
      const unknown = await store.read((ledger) =>
        commands.filter(({ id }) => ledger.command(project, id) === undefined),
      )
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
      const unknown = commands.filter(({ id }) => ledger.command(project, id) === undefined)
      requireVouched(project, commands, unknown, device, pinned)
      const { applied, error } = admitAll(ledger, commands, now())
      if (error !== undefined) throw error
      const standing = ledger.standing(project)
      return () => tell(applied, standing)
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

/** With more parents than these, what a command had not seen is a walk through the graph: some milliseconds. */
const MANY_PARENTS = 8

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

function isActive({ status, expiresAtMs }: KbdDevice, nowMs: number): boolean {
  return status === 'active' && (expiresAtMs === null || nowMs < expiresAtMs)
}

function requireActive(device: KbdDevice, nowMs: number): void {
  if (!isActive(device, nowMs)) throw fail('signer_revoked')
}
