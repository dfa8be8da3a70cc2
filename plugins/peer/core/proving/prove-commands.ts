/** Proves the commands of a peer, several at once, because signatures are verified outside of the event loop. */
import { isSvcError, SvcError } from '../../../../core/declare/errors.ts'
import { isObject } from '../../../../core/kernel/values.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import { fail } from '../../errors.ts'

/** A command that was read and whose signature is valid. */
export type ReadCommand = Awaited<ReturnType<Boards['engine']['prove']>>

/** The commands before the first bad one, and why that one is bad. */
export interface Proven {
  readonly commands: readonly ReadCommand[]
  readonly bad?: unknown
}

/**
 * Signatures that are verified at once: enough for all verifying threads, and few enough that other requests are not
 * delayed.
 */
const AT_ONCE = 16
/** RFC 9562, in upper or lower case. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Proves commands of a project, up to the first bad one. */
export async function proveAll(
  { engine }: Pick<Boards, 'engine'>,
  project: string,
  values: readonly unknown[],
): Promise<Proven> {
  const commands: ReadCommand[] = []
  for (let at = 0; at < values.length; at += AT_ONCE) {
    const made = await Promise.allSettled(values.slice(at, at + AT_ONCE).map((value) => engine.prove(value)))
    for (const [i, one] of made.entries()) {
      if (one.status === 'rejected') return { commands, bad: locatedValue(one.reason, at + i, values[at + i]) }
      if (one.value.project !== project) return { commands, bad: located(fail('project_mismatch'), at + i, one.value) }
      commands.push(one.value)
    }
  }
  return { commands }
}

/** Admits commands of a project and returns how many. Rejects if one is refused; the commands before that one stay. */
export async function admitAll(
  { engine }: Pick<Boards, 'engine'>,
  project: string,
  commands: readonly ReadCommand[],
  pinned?: Parameters<Boards['engine']['admit']>[2],
): Promise<number> {
  const { accepted, refusal } = await engine.admit(project, commands, pinned).catch((error: unknown) => {
    // A refusal of the whole batch has the index of the command that no device vouches for.
    const index = isSvcError(error) ? error.details?.['index'] : undefined
    throw typeof index === 'number' ? located(error, index, commands[index]) : error
  })
  if (refusal !== undefined) throw located(refusal.error, refusal.index, commands[refusal.index])
  return accepted
}

/**
 * Adds the place of a command to its refusal: its index in the batch, the UUID of its envelope, and its id in the
 * graph.
 */
export function located(error: unknown, index: number, command: ReadCommand | undefined): unknown {
  return withPlace(error, { index, commandId: command?.envelope.commandId, id: command?.id })
}

/** The same for a value that could not be proven. Its id in the graph is not known. */
function locatedValue(error: unknown, index: number, value: unknown): unknown {
  const commandId = isObject(value) ? value['commandId'] : undefined
  return withPlace(error, {
    index,
    commandId: typeof commandId === 'string' && UUID.test(commandId) ? commandId : undefined,
  })
}

function withPlace(
  error: unknown,
  place: { readonly index: number; readonly commandId?: string | undefined; readonly id?: string | undefined },
): unknown {
  if (!isSvcError(error) || error.status >= 500) return error
  const { code, status, message, hint, headers } = error
  const { commandId: _, ...others } = error.details ?? {}
  const { index, commandId, id } = place
  const details = { ...others, index, ...(commandId !== undefined && { commandId }), ...(id !== undefined && { id }) }
  return new SvcError(code, { status, message }, { details, ...(hint && { hint }), ...(headers && { headers }) })
}
