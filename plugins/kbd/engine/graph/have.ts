/** Lists some commands of a project by which another node finds the commands that are missing here. */
import { MAX_HEADS } from '../limits.ts'
import { requireRow } from '../sql.ts'
import type { GraphStatements } from './statements.ts'

/** Most steps back along parents. Ancestors that are further back are found by their positions. */
const MAX_STEPS = 512

/** Ids of heads, of ancestors 1, 2, 4, 8 … steps back, and of the first command: at most 64. */
export function listHave(statements: GraphStatements, p: number): readonly string[] {
  const idAt = (pos: number): string => statements.nodeAt(p, pos).id
  const revision = statements.revision(p)
  const heads = statements.heads(p, MAX_HEADS / 2)
  const far = new Set<string>()
  let level = heads.map((id) => requireRow(statements.node(p, id)).pos)
  let lowest = revision
  for (let step = 1, next = 1; step <= MAX_STEPS && level.length > 0; step++) {
    level = [...new Set(level.flatMap((pos) => statements.parentsOf(p, pos)))].sort((a, b) => b - a).slice(0, 4)
    for (const pos of level) lowest = Math.min(lowest, pos)
    if (step !== next) continue
    next *= 2
    for (const pos of level.slice(0, 2)) far.add(idAt(pos))
  }
  for (let back = MAX_STEPS; lowest > 1 && back < revision; back *= 2) far.add(idAt(Math.max(1, lowest - back)))
  // Every node that has the project knows its first command.
  const first = idAt(1)
  far.add(first)
  return [...new Set([...[...heads, ...far].slice(0, MAX_HEADS - 1), first])]
}
