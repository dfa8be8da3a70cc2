/** Exports and imports boards: signed commands, parents first, and the texts that they name, one JSON object a line. */
import { readFileSync } from 'node:fs'
import { type CommandIo, CommandRefusal } from '../../../core/declare/command.ts'
import { toJsonText } from '../../../core/kernel/printable.ts'
import type { LocalService } from '../../transport/unix/api.ts'
import type { ListedCommand } from '../api.ts'
import { namedText } from '../engine/commands/commands.ts'

/** The commands of a project, in the order in which they came to the service. */
export async function* commandsOf(service: LocalService, project: string): AsyncGenerator<ListedCommand> {
  for (let after = ''; ; ) {
    const path = `/api/v1/kbd/projects/${project}/commands?limit=1000${after}`
    const page = await service.get<{ commands: readonly ListedCommand[]; next: string | null }>(path)
    yield* page.commands
    if (page.next === null) return
    after = `&after=${page.next}`
  }
}

/** Prints a project. A text that is redacted, or that the service does not have, is left out. */
export async function exportProject(service: LocalService, project: string, io: CommandIo): Promise<void> {
  const named = new Set<string>()
  for await (const { envelope } of commandsOf(service, project)) {
    const sha256 = namedText(envelope.command)
    if (sha256 !== undefined) named.add(sha256)
    io.out(toJsonText({ command: envelope }))
  }
  for (const sha256 of named) {
    const bytes = await service.getBytes(`/api/v1/kbd/content/${sha256}`)
    if (bytes !== undefined) io.out(toJsonText({ content: Buffer.from(bytes).toString('base64'), sha256 }))
  }
}

/**
 * Imports a file. The service adds the commands of a project only if all are valid. Throws with the number of a bad
 * line.
 */
export async function importFile(service: LocalService, file: string, io: CommandIo): Promise<void> {
  try {
    const { commands, content } = await service.send<{ commands: number; content: number }>(
      'POST',
      '/api/v1/kbd/import',
      'application/x-ndjson',
      readFileSync(file, 'utf8'),
    )
    io.err(`Took ${commands} new commands and ${content} new texts.`)
  } catch (error) {
    const line = error instanceof CommandRefusal ? error.details['line'] : undefined
    throw line === undefined ? error : new Error(`${file}, line ${String(line)}: ${(error as Error).message}`)
  }
}
