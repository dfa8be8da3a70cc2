/** Scopes of devices: `family:project` or `family:*`, and optionally verbs, as in `kbd-control:demo#claim,push`. */
import type { Command } from './commands.ts'
import { PROJECT_NAME } from './project-name.ts'

/** All commands of a board. A missing command is a compile error. */
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
/** The first words of commands. As a verb, a word allows all its commands, except those that override other devices. */
const WORDS = TYPES.map((type) => type.slice(0, type.indexOf('.'))).filter((word) => word !== 'conflict')
const VERBS: ReadonlySet<string> = new Set(['push', ...TYPES, ...WORDS])

/**
 * Whether a text is a scope of one of the families: its project is a name or `*`, and its verbs are known and unique.
 */
export function isScope(scope: string, families: readonly { readonly name: string }[]): boolean {
  const parts = split(scope)
  if (parts === undefined) return false
  const { family, project, verbs = [] } = parts
  if (new Set(verbs).size !== verbs.length || !verbs.every((verb) => VERBS.has(verb))) return false
  return families.some(({ name }) => name === family) && (project === '*' || PROJECT_NAME.test(project))
}

/** The project of a scope. Returns undefined for `family:*`. */
export function projectOfScope(scope: string): string | undefined {
  const project = split(scope)?.project
  return project === '*' ? undefined : project
}

function split(scope: string): { family: string; project: string; verbs: string[] | undefined } | undefined {
  const [, family, project, verbs] = /^([^:#]+):([^#]*)(?:#([^#]*))?$/.exec(scope) ?? []
  return family === undefined || project === undefined ? undefined : { family, project, verbs: verbs?.split(',') }
}
