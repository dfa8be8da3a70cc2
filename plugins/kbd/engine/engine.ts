/** The entry point for commands: the order of its checks. Commands that other nodes have accepted enter through admission.ts. */

import { isSvcError } from '../../../core/errors.ts'
import type { Applied } from '../api.ts'
import { fail } from '../errors.ts'
import { type Admission, createAdmission } from './admission/admission.ts'
import { malformed, type ReadCommand, readBody } from './commands/envelope.ts'
import { askDevice, isProven, type KbdDevice, type KbdOptions, type KbdTransaction } from './engine-parts.ts'
import { answerTo, type Entered, replay } from './entry/answer.ts'
import { authorise, requireActive } from './entry/authorise.ts'
import { createRefusals } from './refusals/refusals.ts'

export type { Entered } from './entry/answer.ts'

/** A stage of a command. */
export type CommandStage = 'admit' | 'verify' | 'authorise' | 'commit'

/** Called before each stage begins; from `verify` on with the type of the command, which may be an unknown one. */
export type OnStage = (stage: CommandStage, type?: string) => void

/** The engine of boards. */
export interface KbdEngine extends Admission {
  /** Enters a signed command of a project, given as bytes. Rejects with the error that the order of checks meets first. */
  enter(project: string, bytes: Uint8Array, onStage?: OnStage): Promise<Entered>
}

/** A command in the graph; `applied` is undefined if it was known before. */
interface Committed {
  readonly entered: Entered
  readonly applied: Applied | undefined
}

/** With more parents than these, finding what a command had not seen is a walk through the graph, of some milliseconds. */
const MANY_PARENTS = 8

/** Makes the engine. */
export function createKbdEngine(options: KbdOptions): KbdEngine {
  const { store, codecs, limits, now } = options
  const recordRefusal = createRefusals(options)
  /** Runs walks one after another, so that several of them do not block the event loop for the sum of their times. */
  const inTurn = createTurns()

  /** Runs the checks from check 10 of the list in plugins/sync/engine/admission/submit.ts on. A refusal is recorded. */
  const recorded = async <T>({ project, id, envelope }: ReadCommand, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isSvcError(error) && error.status < 500)
        await recordRefusal({ project, actor: envelope.signerKeyId, subject: id, outcome: error.code })
      throw error
    }
  }

  const commit = ({ ledger, ...transaction }: KbdTransaction, device: KbdDevice, command: ReadCommand): Committed => {
    // The device and the graph may have changed since the reads before this transaction.
    const present = transaction.device === undefined ? device : transaction.device(command.envelope.signerKeyId)
    if (present === undefined) throw fail('signer_unknown')
    requireActive(present, now())
    const known = replay(ledger, command)
    if (known !== undefined) return { entered: known, applied: undefined }
    const applied = ledger.enter(command, now())
    return { entered: answerTo(ledger, 201, command), applied }
  }

  return {
    ...createAdmission(options),
    async enter(project, bytes, onStage) {
      onStage?.('admit')
      const command = readBody(bytes, limits.maxCommandBytes, codecs)
      if (command.project !== project) throw malformed('/domain')
      const { signerKeyId, command: content, expectedFrontier } = command.envelope
      onStage?.('verify', typeof content.type === 'string' ? content.type : '')
      const device = await askDevice(options, signerKeyId)
      if (device === undefined) throw fail('signer_unknown')
      if (!(await isProven(codecs, command))) throw fail('signature_invalid')
      return recorded(command, async () => {
        requireActive(device, now())
        const known = await store.read((ledger) => replay(ledger, command))
        if (known !== undefined) return known
        onStage?.('authorise')
        await authorise(options, device, command)
        onStage?.('commit')
        const work = (transaction: KbdTransaction): Committed => commit(transaction, device, command)
        const isWalk = expectedFrontier.heads.length > MANY_PARENTS
        const { entered, applied } = await (isWalk ? inTurn(() => store.write(work)) : store.write(work))
        if (applied !== undefined) options.onApplied?.(applied, entered)
        return entered
      })
    },
  }
}

/** Makes a queue: each work begins when the work before it has ended. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const made = last.then(work)
    last = made.catch(() => undefined)
    return made
  }
}
