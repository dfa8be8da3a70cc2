/** Sends signed commands to the running service. */
import { randomUUID } from 'node:crypto'
import { type CommandIo, CommandRefusal, UsageError } from '../../../core/declare/command.ts'
import { claimAt } from '../../protocol/claim-at.ts'
import { type DeviceKey, signCommand } from '../../protocol/sign/index.ts'
import type { LocalService } from '../../transport/unix/api.ts'
import type { Claim, Command, CommandEnvelope, Project } from '../api.ts'
import { changedCards } from '../engine/commands/commands.ts'
import type { Entered, Workplace } from './api.ts'

/** Reads and changes a project of the service for one device. */
export interface BoardClient {
  readonly service: LocalService
  /** The key of the device. Throws if no key was named. */
  readonly key: () => DeviceKey
  /** The named project, or the only one. */
  project(): Promise<Project>
  /**
   * Signs the command that `make` returns for the present project, and sends it. If the project has changed meanwhile,
   * the project is read and the command is made again.
   */
  enter(make: (project: Project) => Command): Promise<Entered>
}

/**
 * How often a command is made for a project that changes. In each round one of the writers succeeds, so this many
 * writers can write at once.
 */
const ATTEMPTS = 64
/** Refusals that a command with newer parents can avoid. */
const CHANGED: readonly string[] = ['frontier_mismatch', 'device_behind']

/** Makes the client of a project. Sends no request yet. */
export function openBoard(io: CommandIo, { keyFile, project: name, socket, onHeld }: Workplace): BoardClient {
  const service = io.use('LocalService')(socket)
  let cached: DeviceKey | undefined
  const key = (): DeviceKey => {
    if (keyFile === undefined) throw new UsageError('--key is missing')
    return (cached ??= io.use('DeviceKeyFile')(keyFile))
  }
  const project = async (): Promise<Project> =>
    service.get<Project>(`/api/v1/kbd/projects/${encodeURIComponent(name ?? (await onlyProject(service)))}`)
  return {
    service,
    key,
    project,
    async enter(make) {
      const signer = key()
      const commandId = randomUUID()
      for (let tried = 1; ; tried++) {
        const now = await project()
        const envelope: CommandEnvelope = await signCommand(signer, {
          project: now.project,
          command: make(now),
          parents: now.frontier.heads,
          commandId,
        })
        const path = `/api/v1/kbd/projects/${now.project}/commands`
        try {
          const entered = await service.send<Entered>('POST', path, 'application/json', JSON.stringify(envelope))
          for (const claim of heldByOthers(now, envelope)) onHeld?.(claim)
          return entered
        } catch (error) {
          if (!(error instanceof CommandRefusal) || tried === ATTEMPTS || !CHANGED.includes(error.code)) throw error
        }
      }
    },
  }
}

/** The claims of other devices on the cards that a command changes. */
function heldByOthers(project: Project, { command, signerKeyId }: CommandEnvelope): readonly Claim[] {
  return changedCards(command).flatMap((cardId) => {
    const card = project.cards[cardId]
    const claim = card && claimAt(project.claims, card, Date.now())
    return claim === undefined || claim.deviceId === signerKeyId ? [] : claim
  })
}

async function onlyProject(service: LocalService): Promise<string> {
  const { projects } = await service.get<{ projects: readonly { project: string }[] }>('/api/v1/kbd/projects')
  const [only, ...more] = projects
  if (only === undefined)
    throw new CommandRefusal('not_found', 'There is no project yet: svc device enroll --scope kbd-control:<project>')
  if (more.length > 0)
    throw new CommandRefusal(
      'ambiguous',
      `Which project? --project ${projects.map(({ project }) => project).join(' | ')}`,
    )
  return only.project
}
