/** Scopes as they are given to devices: `family:project`, `family:*`, and either with verbs: `kbd-control:demo#claim,push`. */
import type { Command } from './commands.ts'
import { PROJECT_NAME } from './project-name.ts'

/** Every command of a board; the compiler sees that none is missing. */
const COMMANDS: Readonly<Record<Command['type'], true>> = {
  'board.create': true,
  'board.update': true,
  'board.archive': true,
  'column.create': true,
  'column.update': true,
  'column.archive': true,
  'column.rerank': true,
  'card.create': true,
  'card.update': true,
  'card.move': true,
  'card.archive': true,
  'card.restore': true,
  'label.add': true,
  'label.remove': true,
  'link.add': true,
  'link.remove': true,
  'comment.add': true,
  'comment.edit': true,
  'comment.redact': true,
  'claim.acquire': true,
  'claim.renew': true,
  'claim.release': true,
  'claim.force': true,
  'conflict.resolve': true,
}
const TYPES = Object.keys(COMMANDS)
/** The first word of a command means all of that word, but for what overrides others. */
const WORDS = TYPES.map((type) => type.slice(0, type.indexOf('.'))).filter((word) => word !== 'conflict')
const VERBS: ReadonlySet<string> = new Set(['push', ...TYPES, ...WORDS])

/** Whether a text is a scope of one of the families: its project a name or `*`, its verbs known and each there once. */
export function isScope(scope: string, families: readonly { readonly name: string }[]): boolean {
  const parts = split(scope)
  if (parts === undefined) return false
  const { family, project, verbs = [] } = parts
  if (new Set(verbs).size !== verbs.length || !verbs.every((verb) => VERBS.has(verb))) return false
  return families.some(({ name }) => name === family) && (project === '*' || PROJECT_NAME.test(project))
}

/** The project that a scope names; undefined for `family:*`, which names none. */
export function projectOfScope(scope: string): string | undefined {
  const project = split(scope)?.project
  return project === '*' ? undefined : project
}

function split(scope: string): { family: string; project: string; verbs: string[] | undefined } | undefined {
  const [, family, project, verbs] = /^([^:#]+):([^#]*)(?:#([^#]*))?$/.exec(scope) ?? []
  return family === undefined || project === undefined ? undefined : { family, project, verbs: verbs?.split(',') }
}
