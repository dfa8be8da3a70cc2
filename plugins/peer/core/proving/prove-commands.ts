/** Proving what a peer hands in: several commands at once, because signatures are verified beside the loop. */
import { isSvcError, SvcError } from '../../../../core/errors.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import { fail } from '../../errors.ts'

/** A command that was read and whose signature holds. */
export type ReadCommand = Awaited<ReturnType<Boards['engine']['prove']>>

/** Commands up to the first bad one, and why that one is bad. */
export interface Proven {
  readonly commands: readonly ReadCommand[]
  readonly bad?: unknown
}

/** Signatures on the way at once: enough for the threads that verify, few enough that others have their turn. */
const AT_ONCE = 16

/** Proves commands of a project, up to the first that is bad. */
export async function proveAll(
  { engine }: Pick<Boards, 'engine'>,
  project: string,
  values: readonly unknown[],
): Promise<Proven> {
  const commands: ReadCommand[] = []
  for (let at = 0; at < values.length; at += AT_ONCE) {
    const made = await Promise.allSettled(values.slice(at, at + AT_ONCE).map((value) => engine.prove(value)))
    for (const [i, one] of made.entries()) {
      if (one.status === 'rejected') return { commands, bad: located(one.reason, at + i, '') }
      const { id } = one.value
      if (one.value.project !== project) return { commands, bad: located(fail('project_mismatch'), at + i, id) }
      commands.push(one.value)
    }
  }
  return { commands }
}

/** A refusal that says of which command it is. */
export function located(error: unknown, index: number, commandId: string): unknown {
  if (!isSvcError(error) || error.status >= 500) return error
  const { code, status, message, hint, headers, details } = error
  const given = { details: { ...details, index, commandId }, ...(hint && { hint }), ...(headers && { headers }) }
  return new SvcError(code, { status, message }, given)
}
