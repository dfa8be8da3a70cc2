/**
 * The entry point for commands. The order of the checks is the same on every node, so that a command with several
 * faults gets the same error everywhere. Checks that pushes have too have the same numbers as for pushes
 * (plugins/sync/engine/admission/submit-push.ts):
 *
 *  1. method and path: 404, 405
 *  2. content type: 415
 *  3. size of the body: 413
 *  4. JSON admission: 400
 *  5. schema version (commands/envelope.ts): 400
 *  6. shape of the envelope, and its domain against the path: 400
 *  7. canonical form and its hash
 *  8. the signer is enrolled: 403
 *  9. the signature: 401
 * 10. the signer is neither revoked nor expired: 403
 * 11. idempotency (entry/answer.ts): 200 for the same command, 409 for another
 * 12. the project exists (entry/authorise.ts): 404
 * 13. the signer's scope: 403
 * 15. the time window: 422
 * 16. the form of the command: 422
 * 17. the parents and their distance (entry/checks.ts): 409, 422
 * 18. the entities: 404, 409
 * 19. the conflict of a resolution: 404, 409
 * 20. the claims: 409
 *
 * Commands that other nodes have accepted enter through admission.ts.
 */

import { isSvcError } from '../../../core/declare/errors.ts'
import { createSerialQueue } from '../../../core/kernel/serial-queue.ts'
import { isNarrowed } from '../../protocol/scopes.ts'
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

/** Called before each stage begins. The call for `verify` has the type of the command, which may be unknown. */
export type OnStage = (stage: CommandStage, type?: string) => void

/** The engine of boards. */
export interface KbdEngine extends Admission {
  /**
   * Enters a signed command of a project, given as bytes. Rejects with the error of the first check that fails, or with
   * what `onStage` throws: a limit on signatures is checked before the one of this command is verified. The audit chain
   * names `user`.
   */
  enter(project: string, bytes: Uint8Array, onStage?: OnStage, user?: string): Promise<Entered>
}

/** A command in the graph; `applied` is undefined if it was known before. */
interface Committed {
  readonly entered: Entered
  readonly applied: Applied | undefined
}

/** With more parents than these, finding the positions that a command had not seen is a walk of some milliseconds. */
const MANY_PARENTS = 8

/** Makes the engine. */
export function createKbdEngine(options: KbdOptions): KbdEngine {
  const { store, codecs, limits, now } = options
  const recordRefusal = createRefusals(options)
  /** Runs walks one after another, so that several of them do not block the event loop for the sum of their times. */
  const inTurn = createSerialQueue()

  /** Runs check 10 and all later checks. A refusal is recorded in the audit chain. */
  const recorded = async <T>(
    { project, id, envelope }: ReadCommand,
    user: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const named = { actor: envelope.signerKeyId, ...(user !== undefined && { user }) }
      if (isSvcError(error) && error.status < 500)
        await recordRefusal({ project, subject: id, outcome: error.code, ...named })
      throw error
    }
  }

  const commit = (
    { ledger, ...transaction }: KbdTransaction,
    device: KbdDevice,
    command: ReadCommand,
    user: string | undefined,
  ): Committed => {
    // The device and the graph may have changed since the reads before this transaction.
    const present = transaction.device === undefined ? device : transaction.device(command.envelope.signerKeyId)
    if (present === undefined) throw fail('signer_unknown')
    requireActive(present, now())
    const replayAnswer = replay(ledger, command)
    if (replayAnswer !== undefined) return { entered: replayAnswer, applied: undefined }
    const isBound = isNarrowed(present.scopes, 'kbd-control', command.project)
    const applied = ledger.enter(command, now(), isBound, user)
    return { entered: answerTo(ledger, 201, command), applied }
  }

  return {
    ...createAdmission(options),
    async enter(project, bytes, onStage, user) {
      onStage?.('admit')
      const command = readBody(bytes, limits.maxCommandBytes, codecs)
      if (command.project !== project) throw malformed('/domain')
      const { signerKeyId, command: content, expectedFrontier } = command.envelope
      onStage?.('verify', typeof content.type === 'string' ? content.type : '')
      const device = await askDevice(options, signerKeyId)
      if (device === undefined) throw fail('signer_unknown')
      if (!(await isProven(codecs, command))) throw fail('signature_invalid')
      return recorded(command, user, async () => {
        requireActive(device, now())
        const replayAnswer = await store.read((ledger) => replay(ledger, command))
        if (replayAnswer !== undefined) return replayAnswer
        onStage?.('authorise')
        await authorise(options, device, command)
        onStage?.('commit')
        const work = async (): Promise<Entered> => {
          const { entered, applied } = await store.write((transaction) => commit(transaction, device, command, user))
          // Called before the turn ends, because otherwise a later command of the same commit would be reported first.
          if (applied !== undefined) options.onApplied?.(applied, entered)
          return entered
        }
        return expectedFrontier.heads.length > MANY_PARENTS ? inTurn(work) : work()
      })
    },
  }
}
