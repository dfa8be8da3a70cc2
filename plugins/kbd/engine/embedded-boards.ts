/** Boards in an embedded engine: over its store, its host and its callers, in the bytes that the host saves. */
import type { AuditChain } from '../../sync/api.ts'
import type { Applied, Standing } from '../api.ts'
import { fail } from '../errors.ts'
import type { Admitted } from './admission/admission.ts'
import { createBoards as createNodeBoards } from './boards.ts'
import { malformed, type ReadCommand } from './commands/envelope.ts'
import type { EmbeddedBoardParts } from './embed-boards.ts'
import type { Entered } from './engine.ts'
import { auditOf } from './ledgers.ts'
import { defaultLimits, type KbdLimits } from './parts.ts'
import type { KbdReads } from './reads/reads.ts'

/** What boards are made from. */
export interface EmbeddedBoardsOptions {
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<KbdLimits>
}

/** What came of a set of commands. */
export interface EmbeddedAdmitted extends Omit<Admitted, 'added'> {
  /** The commands that were new, with what each of them changed. */
  readonly applied: readonly Applied[]
}

/** The boards of an embedded engine. A refusal rejects with an `SvcError` that has `status` and `code` as on the server. */
export interface EmbeddedBoards {
  /** Takes the bytes of a signed command. 200: it was here before. */
  enter(project: string, bytes: Uint8Array): Promise<Entered>
  /**
   * Takes commands that another node has: the bytes of a JSON array of signed envelopes, parents first, up to the first bad
   * one; those before it stay. Rejects where one is not proven, with `scope_not_found` where the host has no such project,
   * and with `signer_unknown` where no device of the host vouches for them.
   */
  admit(project: string, bytes: Uint8Array): Promise<EmbeddedAdmitted>
  /** Reads in one look: everything that `work` sees is of one moment. */
  read<T>(work: (boards: KbdReads) => T): Promise<T>
  /** Keeps a text of a card or comment, by its SHA-256 in lower-case hex; false where it was here. */
  putContent(hash: string, bytes: Uint8Array): Promise<boolean>
  /** Looks at the audit chain: who did what here. */
  audit<T>(work: (chain: Pick<AuditChain, 'head' | 'list' | 'verify'>) => T): Promise<T>
  /** Calls `listener` after each command that is saved, until the returned function is called. */
  watch(listener: (applied: Applied, standing: Standing) => void): () => void
}

/**
 * Makes the boards of an engine; once, before its first push of a project that has commands. From then on pushes pin
 * where such projects stand. Throws a `TypeError` for an engine of another build, and a `RangeError` for a limit that is none.
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
        if (body.length > maxBodyBytes) throw fail('payload_too_large')
        const envelopes = parts.shared.admitJson(body)
        if (!Array.isArray(envelopes)) throw malformed('/')
        if (!(await boards.exists(toText(project)))) throw fail('scope_not_found')
        const commands: ReadCommand[] = []
        for (const envelope of envelopes) {
          // A signature takes milliseconds here, and a screen wants to be drawn meanwhile.
          if (commands.length % PROOFS_PER_TURN === PROOFS_PER_TURN - 1) await parts.yieldLoop()
          commands.push(await boards.engine.prove(envelope))
        }
        const applied: Applied[] = []
        const { added: _, ...admitted } = await boards.engine.admit(project, commands, undefined, {
          onAdded: (one) => void applied.push(one),
        })
        return { ...admitted, applied }
      }),
    read: (work) => asCaller(() => looking((look) => boards.read(look), work)),
    putContent: (hash, bytes) =>
      asCaller(async () => {
        const text = ownBytes(bytes, limits.maxContentBytes)
        // Nothing happens by itself here: what nobody wanted for long goes when something new comes, in one save with it.
        const [, isNew] = await Promise.all([boards.sweep(), boards.putContent(toText(hash), text)])
        return isNew
      }),
    audit: (work) => asCaller(() => looking((look) => store.read(({ audit }) => look(auditOf({ audit }))), work)),
    watch: boards.watch,
  }
}

type Seeing<T> = { readonly value: T } | { readonly error: unknown }

/** What the work of a host throws is the host's: inside of the store it would be taken for a failure of that. */
async function looking<Seen, T>(
  read: (look: (seen: Seen) => Seeing<T>) => Promise<Seeing<T>>,
  work: (seen: Seen) => T,
): Promise<T> {
  const done = await read((seen) => {
    try {
      return { value: work(seen) }
    } catch (error) {
      return { error }
    }
  })
  if ('error' in done) throw done.error
  return done.value
}

/** Signatures that are verified before others have their turn. */
const PROOFS_PER_TURN = 4

function toText(given: unknown): string {
  return typeof given === 'string' ? given : ''
}

/** What is judged is what came, whatever the caller does to it meanwhile; one more than is allowed tells that it is too much. */
function ownBytes(bytes: unknown, maxBytes: number): Uint8Array {
  if (Object.prototype.toString.call(bytes) !== '[object Uint8Array]') throw malformed('a Uint8Array')
  return (bytes as Uint8Array).slice(0, maxBytes + 1)
}

/** A host has one clock, which may be set back: what it then says less is not counted. */
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
