/** The entry point for commands: the order of its checks. Commands that other nodes have accepted come through admission.ts. */

import { isSvcError } from '../../../core/errors.ts'
import { fromFuture, stale } from '../../protocol/clocks.ts'
import type { Standing } from '../api.ts'
import { fail } from '../errors.ts'
import { type Admission, createAdmission } from './admission/admission.ts'
import { malformed, type ReadCommand, readBody, requireValid } from './commands/envelope.ts'
import { allows } from './commands/scopes.ts'
import { askDevice, isActive, isProven, type KbdDevice, type KbdOptions, type KbdStore } from './engine-parts.ts'
import type { KbdReads } from './reads/reads.ts'
import { createRefusals } from './refusals/refusals.ts'

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

/** The engine of boards. */
export interface KbdEngine extends Admission {
  /** Takes the bytes of a signed command for a project. Rejects with the error that the order of checks meets first. */
  enter(project: string, bytes: Uint8Array, onStage?: OnStage): Promise<Entered>
}

/** Makes the engine. */
export function createKbdEngine(options: KbdOptions): KbdEngine {
  const { store, codecs, limits, now } = options
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
  /** Steps 12 to 16. */
  const authorise = async (device: KbdDevice, command: ReadCommand): Promise<void> => {
    const { envelope, project } = command
    if (!(await options.projectExists(project))) throw fail('scope_not_found')
    // A type that is none has no verb: whoever may do everything hears that it is none.
    const { type } = envelope.command as { type?: unknown }
    const verb = typeof type === 'string' ? type : ''
    if (!allows(device.scopes, 'kbd-control', project, verb)) throw fail('signer_not_in_scope')
    const past = envelope.concurrency === 'strict' ? limits.windowPastMs : limits.mergeWindowMs
    const nowMs = now()
    if (envelope.issuedAtMs < nowMs - past) throw fail('request_stale', stale(envelope.issuedAtMs, nowMs, past))
    if (envelope.issuedAtMs > nowMs + limits.windowFutureMs)
      throw fail('request_from_future', fromFuture(envelope.issuedAtMs, nowMs, limits.windowFutureMs))
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
  /** Records a refusal, from check 10 of the list in plugins/sync/engine/admission/submit.ts on. */
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
    ...createAdmission(options),
    async enter(project, bytes, onStage) {
      onStage?.('admit')
      const command = readBody(bytes, limits.maxCommandBytes, codecs)
      if (command.project !== project) throw malformed('/domain')
      const { signerKeyId, command: said } = command.envelope
      onStage?.('verify', typeof said.type === 'string' ? said.type : '')
      const device = await askDevice(options, signerKeyId)
      if (device === undefined) throw fail('signer_unknown')
      if (!(await isProven(codecs, command))) throw fail('signature_invalid')
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
        if (applied !== undefined) options.onApplied?.(applied, entered)
        return entered
      })
    },
  }
}

/** With more parents than these, what a command had not seen is a walk through the graph: some milliseconds. */
const MANY_PARENTS = 8

function requireActive(device: KbdDevice, nowMs: number): void {
  if (!isActive(device, nowMs)) throw fail('signer_revoked')
}
