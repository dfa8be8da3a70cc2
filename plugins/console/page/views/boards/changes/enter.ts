/** How a change comes about: a command is made, signed, shown, and sent; made again where the project moved on. */
import { idOfCommand } from '../../../../../protocol/sign/verify.ts'
import type { SignRequest } from '../../../../session.ts'
import type { Command, CommandEnvelope, Project } from '../state.ts'

/** What the flow asks of others. */
export interface EnterPorts {
  /** The project as it is now. */
  read(): Promise<Project>
  sign(request: SignRequest): Promise<CommandEnvelope>
  /** Shows what was signed; false if the reader does not want it sent. */
  show(signed: readonly CommandEnvelope[]): Promise<boolean>
  send(envelope: CommandEnvelope): Promise<unknown>
}

/** How often commands are signed again because the project moved on. */
const ATTEMPTS = 16
/** Refusals that end once the parents are read again. */
const MOVED: readonly string[] = ['frontier_mismatch', 'device_behind']

/**
 * Enters commands, each in the future of the one before. Resolves to whether they were sent. Commands that the reader has agreed to are
 * signed anew without being shown again, as long as they stay the same. Rejects with a refusal that signing anew does not end.
 */
export async function enterCommands(
  ports: EnterPorts,
  seen: Project,
  make: (project: Project) => readonly Command[],
): Promise<boolean> {
  let project = seen
  let left = make(project)
  let newestParentMs = 0
  let agreed = ''
  let hasEntered = false
  for (let tried = 1; left.length > 0; tried++) {
    const signed = await signAll(ports, project, left, newestParentMs)
    // What is left of commands that were shown ends as they did.
    const text = JSON.stringify(left)
    if (!agreed.endsWith(text.slice(1)) && !(await ports.show(signed))) return false
    agreed = text
    try {
      for (const envelope of signed) {
        await ports.send(envelope)
        left = left.slice(1)
        hasEntered = true
      }
    } catch (error) {
      if (!isRefusal(error) || tried === ATTEMPTS) throw error
      const newest = error.details['parentIssuedAtMs']
      if (typeof newest === 'number' && newest > newestParentMs) newestParentMs = newest
      else if (!MOVED.includes(error.code)) throw error
      project = await ports.read()
      if (!hasEntered) left = make(project)
    }
  }
  return true
}

async function signAll(
  ports: EnterPorts,
  { project, frontier }: Project,
  commands: readonly Command[],
  newestParentMs: number,
): Promise<readonly CommandEnvelope[]> {
  const signed: CommandEnvelope[] = []
  let parents = frontier.heads
  let newest = newestParentMs
  for (const command of commands) {
    const envelope = await ports.sign({ project, command: { ...command }, parents, newestParentMs: newest })
    signed.push(envelope)
    parents = [idOfCommand(envelope)]
    newest = Math.max(newest, envelope.issuedAtMs)
  }
  return signed
}

/** What a refusal of the service says; `ServiceError` is one. */
interface Refusal {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'details' in error
}
