/** Delivers profiles. If nothing has changed since the last build, prints the results of that build. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { distDir, EXECUTABLE, shown, workDir } from '../build/paths.ts'
import { beginBuild, readUnchanged, recordBuild, type Told } from '../build/record/record.ts'
import type { ToolIo } from './tool.ts'

/** How a profile is delivered. */
export interface DeliverOptions {
  /** Builds also what has not changed. */
  readonly rebuild?: boolean
  /** Whether everything that was built is started once. */
  readonly start?: boolean
}

/**
 * Delivers a profile and prints what was built. If nothing has changed since the last build, it prints the results of
 * that build; `rebuild` builds again in any case.
 */
export async function deliver(
  profile: string,
  io: ToolIo,
  { rebuild = false, start = true }: DeliverOptions = {},
): Promise<Told> {
  const before = rebuild ? undefined : readUnchanged(profile)
  if (before !== undefined) {
    io.out(`${profile}: nothing has changed since ${before.since}, when this was built and proven`)
    tell(before, io)
    return before
  }
  if (rebuild) (await import('../build/record/result-store.ts')).computeAgain(true)
  const begun = beginBuild()
  const executable = join(distDir(profile), EXECUTABLE)
  const hadExecutable = existsSync(executable)
  // The builder takes half a second to load.
  const { buildShown, toldOf } = await import('./build-shown.ts')
  const built = await buildShown(profile, 'pack', { start })
  const told = toldOf(built)
  // A build without its start is no answer for one with it.
  if (start) await recordBuild(profile, begun, built, told)
  tell(told, io)
  if (hadExecutable && !existsSync(executable))
    io.note(
      `${shown(executable, workDir)} had another program than this ` +
        `build, and is removed; make it again: binary ${profile}`,
    )
  return told
}

/** Prints the lines of a build. */
export function tell({ out, notes }: Told, io: ToolIo): void {
  for (const line of notes) io.note(line)
  for (const line of out) io.out(line)
}
