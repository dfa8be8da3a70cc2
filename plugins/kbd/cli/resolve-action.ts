/** The action that resolves a conflict. */
import { CommandRefusal } from '../../../core/declare/command.ts'
import type { Conflict, Project } from '../api.ts'
import { type ActionParts, enterFor, rankBehind } from './action-parts.ts'
import type { BoardActions } from './api.ts'
import { findColumn, findOne } from './find.ts'

/** Makes the action. */
export function createResolve({ client: { enter } }: ActionParts): BoardActions['resolve'] {
  return async (name, choice) => {
    const { target: conflict, entered } = await enterFor(enter, (now) => {
      const all = Object.values(now.conflicts)
      const target = findOne('conflict', name, all, ({ conflictId, register }) => [conflictId, register])
      const { conflictId, register, candidates } = target
      return {
        target,
        command: {
          type: 'conflict.resolve',
          conflictId,
          register,
          candidates: candidates.map(({ id }) => id).sort(),
          choose:
            'value' in choice
              ? { value: toValue(now, target, choice.value) }
              : { id: findOne('candidate', choice.candidate, candidates, ({ id }) => [id, null]).id },
        },
      }
    })
    return { conflict, entered }
  }
}

/** The value of a register from its text on the command line. */
function toValue(now: Project, { register, entity }: Conflict, text: string): unknown {
  const name = register.slice(register.lastIndexOf('/') + 1)
  if (name === 'title' || name === 'rank' || name === 'assignee') return text
  if (name === 'place') {
    const { columnId, boardId } = findColumn(now, text, now.cards[entity.id]?.place?.boardId)
    return { boardId, columnId, rank: rankBehind(now, columnId) }
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandRefusal('command_invalid', `The value of ${name} must be JSON, such as 1, true or null.`)
  }
}
