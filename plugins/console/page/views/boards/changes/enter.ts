/** Creates, signs, shows and sends the commands of a change, and starts again if the project has changed meanwhile. */
import { idOfCommand } from '../../../../../protocol/sign/verify.ts'
import type { SignRequest } from '../../../../session.ts'
import type { Command, CommandEnvelope, Project } from '../state.ts'

/** The functions that entering commands needs. */
export interface EnterPorts {
  /** Reads the present state of the project. */
  read(): Promise<Project>
  sign(request: SignRequest): Promise<CommandEnvelope>
  /** Shows the signed commands. Resolves to false if the reader does not want to send them. */
  show(signed: readonly CommandEnvelope[]): Promise<boolean>
  send(envelope: CommandEnvelope): Promise<unknown>
}

/** Largest number of attempts, if the project changes again and again. */
const ATTEMPTS = 16
/** Codes of errors after which the parents are read again. */
const STALE_CODES: readonly string[] = ['frontier_mismatch', 'device_behind']

/**
 * Enters commands, each with the command before as its parent. Resolves to whether the commands were sent. If the
 * project has changed, the commands are signed again, and shown again only if they are not the same. Rejects with any
 * other error of the service.
 */
export async function enterCommands(
  ports: EnterPorts,
  seen: Project,
  make: (project: Project) => readonly Command[],
): Promise<boolean> {
  let project = seen
  let remaining = make(project)
  let confirmed = ''
  let hasEntered = false
  for (let attempt = 1; remaining.length > 0; attempt++) {
    const signed = await signAll(ports, project, remaining)
    // The remaining commands were confirmed if their JSON is the end of the confirmed JSON.
    const text = JSON.stringify(remaining)
    if (!confirmed.endsWith(text.slice(1)) && !(await ports.show(signed))) return false
    confirmed = text
    try {
      for (const envelope of signed) {
        await ports.send(envelope)
        remaining = remaining.slice(1)
        hasEntered = true
      }
    } catch (error) {
      if (!hasCode(error) || attempt === ATTEMPTS || !STALE_CODES.includes(error.code)) throw error
      project = await ports.read()
      if (!hasEntered) remaining = make(project)
    }
  }
  return true
}

async function signAll(
  ports: EnterPorts,
  { project, frontier }: Project,
  commands: readonly Command[],
): Promise<readonly CommandEnvelope[]> {
  const signed: CommandEnvelope[] = []
  let parents = frontier.heads
  for (const command of commands) {
    const envelope = await ports.sign({ project, command: { ...command }, parents })
    signed.push(envelope)
    parents = [idOfCommand(envelope)]
  }
  return signed
}

/** Whether this is an error of the service, such as a `ServiceError`. */
function hasCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
