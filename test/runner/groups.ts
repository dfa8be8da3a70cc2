/**
 * Which test files share a process: small unit files of one folder that change nothing outside of their modules. The
 * start of a process takes longer than most of their tests.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/build/paths.ts'
import type { Times } from './order.ts'

/** The most files of a group, so that the groups of a run fit beside each other. */
const MOST_FILES = 16

/** A file that takes longer, in seconds of processor time, has a process of its own. */
const LONG_S = 2

/**
 * What a file may not use to share a process: the process itself, its globals, its time and memory, and other
 * processes.
 */
const OF_THE_PROCESS =
  /\bprocess\.|\bglobalThis\b|\bWebAssembly\b|\bWorker\b|\bperformance\b|child_process|\bstartChild\b|\bspawn|support\/(?:process-|loop-delay|child)|\bgc\b/

/**
 * Divides files into groups of those that share a process; all other files are alone. Keeps the order of the first of
 * each group.
 */
export function toGroups(files: readonly string[], times: Times): string[][] {
  const groups: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of files) {
    const folder = file.split('/').slice(0, 3).join('/')
    let group = open.get(folder)
    if (!mayShare(file, times)) groups.push([file])
    else if (group === undefined || group.length === MOST_FILES) {
      group = [file]
      open.set(folder, group)
      groups.push(group)
    } else group.push(file)
  }
  return groups
}

function mayShare(file: string, times: Times): boolean {
  if (!file.startsWith('test/unit/') || (times[file]?.processorS ?? 0) > LONG_S) return false
  return !OF_THE_PROCESS.test(readFileSync(join(root, file), 'utf8'))
}
