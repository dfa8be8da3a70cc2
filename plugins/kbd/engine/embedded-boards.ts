/** The boards of an embedded engine, in the bytes that the host saves. */
import { sizeFault } from '../../../core/kernel/values.ts'
import type { AuditChain } from '../../sync/api.ts'
import type { Applied, Standing } from '../api.ts'
import { fail } from '../errors.ts'
import type { Admitted } from './admission/admission.ts'
import { createBoards as createNodeBoards } from './boards.ts'
import { malformed, type ReadCommand } from './commands/envelope.ts'
import type { Entered } from './engine.ts'
import { auditOf } from './ledgers.ts'
import { defaultLimits, type KbdLimits } from './limits.ts'
import type { KbdReads } from './reads/reads.ts'
import type { EmbeddedBoardParts } from './store-part.ts'

/** Options of the boards. */
export interface EmbeddedBoardsOptions {
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<KbdLimits>
}

/** The result for a set of commands. */
export interface EmbeddedAdmitted extends Omit<Admitted, 'added'> {
  /** The new commands, each with its changes. */
  readonly applied: readonly Applied[]
}

/**
 * The boards of an embedded engine. A refusal rejects with an `SvcError` that has the same `status` and `code` as on a
 * server.
 */
export interface EmbeddedBoards {
  /** Enters the bytes of a signed command. The status is 200 if the command was known before, otherwise 201. */
  enter(project: string, bytes: Uint8Array): Promise<Entered>
  /**
   * Adds commands of another node: the bytes of a JSON array of signed envelopes, parents first. Commands after the
   * first refused one are not added; those before it stay. Rejects if a signature or a form is wrong, with
   * `scope_not_found` if the host has no such project, and with `signer_unknown` if no device of the host vouches for a
   * head of the set.
   */
  admit(project: string, bytes: Uint8Array): Promise<EmbeddedAdmitted>
  /** Reads boards. All reads of one `work` show the same moment. */
  read<T>(work: (boards: KbdReads) => T): Promise<T>
  /**
   * Stores a text of a card or comment under its SHA-256, in lower-case hex. Returns false if the text was here before.
   */
  putContent(hash: string, bytes: Uint8Array): Promise<boolean>
  /** Reads the audit chain. */
  audit<T>(work: (chain: Pick<AuditChain, 'head' | 'list' | 'verify'>) => T): Promise<T>
  /** Calls `listener` after each command that is saved, until the returned function is called. */
  watch(listener: (applied: Applied, standing: Standing) => void): () => void
}

/**
 * Makes the boards of an engine. Call it once, before the first push of a project that has commands. After the call,
 * pushes pin the standing of such projects. Throws a `TypeError` for an engine of another build, and a `RangeError` for
 * an invalid limit.
 */
export function createBoards(
  _registry: unknown,
  engine: { readonly parts?: object },
  options: EmbeddedBoardsOptions = {},
): EmbeddedBoards {
  const parts = engine.parts as EmbeddedBoardParts | undefined
  if (parts === undefined) throw new TypeError('createBoards takes an engine that createEmbedded of this library made.')
  const limits = withLimits(options.limits)
  const { asCaller, store } = parts
  const boards = createNodeBoards({
    store,
    shared: parts.shared,
    authority: { device: parts.device, projectExists: (project) => parts.exists(`kbd-control:${project}`) },
    limits,
    clock: { now: parts.now, monotonic: onlyForward(parts.now) },
    yieldLoop: parts.yieldLoop,
    failed: (error) =>
      parts.log({ level: 'warn', target: 'svc::kbd', message: 'Work on boards failed.', fields: { error } }),
  })
  parts.attach(boards)
  return {
    enter: (project, bytes) =>
      asCaller(async () => boards.enter(toText(project), ownBytes(bytes, limits.maxCommandBytes))),
    admit: (project, bytes) =>
      asCaller(async () => {
        const { maxBodyBytes } = parts.shared.limits
        const body = ownBytes(bytes, maxBodyBytes)
        if (body.length > maxBodyBytes)
          throw fail('payload_too_large', { message: sizeFault('A list of commands', maxBodyBytes, body.length) })
        const envelopes = parts.shared.admitJson(body)
        if (!Array.isArray(envelopes)) throw malformed('/')
        if (!(await boards.exists(toText(project)))) throw fail('scope_not_found')
        const commands: ReadCommand[] = []
        for (const envelope of envelopes) {
          // Verifying a signature takes milliseconds here, and the host must be able to draw its screen meanwhile.
          if (commands.length % PROOFS_PER_TURN === PROOFS_PER_TURN - 1) await parts.yieldLoop()
          commands.push(await boards.engine.prove(envelope))
        }
        const applied: Applied[] = []
        const { added: _, ...admitted } = await boards.engine.admit(project, commands, undefined, {
          onAdded: (added) => void applied.push(added),
        })
        return { ...admitted, applied }
      }),
    read: (work) => asCaller(() => readFor((run) => boards.read(run), work)),
    putContent: (hash, bytes) =>
      asCaller(async () => {
        const text = ownBytes(bytes, limits.maxContentBytes)
        // The library has no timer. Texts whose grace time is over are removed with the next new text, in the same
        // save.
        const [, isNew] = await Promise.all([boards.sweep(), boards.putContent(toText(hash), text)])
        return isNew
      }),
    audit: (work) => asCaller(() => readFor((run) => store.read(({ audit }) => run(auditOf({ audit }))), work)),
    watch: boards.watch,
  }
}

type CallOutcome<T> = { readonly value: T } | { readonly error: unknown }

/**
 * Runs the work of a host in a read. Throws the error of the host after the read, because the store treats errors as
 * its own.
 */
async function readFor<Reads, T>(
  read: (run: (reads: Reads) => CallOutcome<T>) => Promise<CallOutcome<T>>,
  work: (reads: Reads) => T,
): Promise<T> {
  const outcome = await read((reads) => {
    try {
      return { value: work(reads) }
    } catch (error) {
      return { error }
    }
  })
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/** Signatures that are verified in one turn of the event loop. */
const PROOFS_PER_TURN = 4

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Copies the bytes, so that later changes by the caller have no effect. Copies at most one byte more than the limit,
 * which is enough to see that there are too many.
 */
function ownBytes(bytes: unknown, maxBytes: number): Uint8Array {
  if (Object.prototype.toString.call(bytes) !== '[object Uint8Array]') throw malformed('a Uint8Array')
  return (bytes as Uint8Array).slice(0, maxBytes + 1)
}

/** Makes a clock that never goes back from the clock of a host, which may be set back. */
function onlyForward(now: () => number): () => number {
  let last = now()
  let passed = 0
  return () => {
    const nowMs = now()
    passed += Math.max(0, nowMs - last)
    last = nowMs
    return passed
  }
}

function withLimits(changes: Partial<KbdLimits> = {}): KbdLimits {
  for (const [name, value] of Object.entries(changes))
    if (!Number.isSafeInteger(value) || value < 1 || !(name in defaultLimits))
      throw new RangeError(`limits.${name} is no positive integer of the known limits.`)
  return { ...defaultLimits, ...changes }
}
