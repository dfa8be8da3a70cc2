/** Scopes of devices: `family:project` or `family:*`, and optionally verbs, as in `kbd-control:demo#claim,push`. */
import type { Command } from './commands.ts'

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
/** Verbs that a scope must name in full, because they override other devices: `claim` does not allow `claim.force`. */
const NAMED: readonly string[] = ['claim.force', 'conflict.resolve'] satisfies Command['type'][]

/**
 * Whether a text is a scope of one of the families: its project is a name or `*`, and its verbs are known and unique.
 */
export function isScope(scope: string, families: readonly { readonly name: string }[]): boolean {
  const parts = split(scope)
  if (parts === undefined) return false
  const { family, project, verbs = [] } = parts
  if (new Set(verbs).size !== verbs.length || !verbs.every(isVerb)) return false
  return families.some(({ name }) => name === family) && (project === '*' || PROJECT_NAME.test(project))
}

/** The project of a scope. Returns undefined for `family:*`. */
export function projectOfScope(scope: string): string | undefined {
  const project = split(scope)?.project
  return project === '*' ? undefined : project
}

/** Whether one of the scopes allows a verb, `push` or the type of a command, in a project of a family. */
export function allows(scopes: readonly string[], family: string, project: string, verb: string): boolean {
  return scopes.some((scope) => {
    const parts = split(scope)
    if (parts?.family !== family || (parts.project !== project && parts.project !== '*')) return false
    const { verbs } = parts
    return verbs === undefined || verbs.includes(verb) || (!NAMED.includes(verb) && verbs.includes(firstWordOf(verb)))
  })
}

/** Whether verbs narrow all scopes of a device in a project of a family: none of its scopes allows everything there. */
export function isNarrowed(scopes: readonly string[], family: string, project: string): boolean {
  return !scopes.some((scope) => {
    const parts = split(scope)
    return parts?.family === family && parts.verbs === undefined && [project, '*'].includes(parts.project)
  })
}

/** Whether a scope may name a verb: `push`, a command, or the first word of commands. */
function isVerb(verb: string): boolean {
  const isFirstWord = (type: string): boolean => !NAMED.includes(type) && firstWordOf(type) === verb
  return verb === 'push' || Object.hasOwn(COMMANDS, verb) || Object.keys(COMMANDS).some(isFirstWord)
}

/** The first word of a command. As a verb, it allows all commands that begin with it but those in `NAMED`. */
function firstWordOf(type: string): string {
  return type.split('.', 1)[0]!
}

function split(scope: string): { family: string; project: string; verbs: string[] | undefined } | undefined {
  const [, family, project, verbs] = /^([^:#]+):([^#]*)(?:#([^#]*))?$/.exec(scope) ?? []
  return family === undefined || project === undefined ? undefined : { family, project, verbs: verbs?.split(',') }
}

/**
 * The name of a project: 1 to 64 characters of a-z, 0-9, dot, underscore and hyphen; the first is a letter or a digit.
 */
export const PROJECT_NAME: RegExp = /^[a-z0-9][a-z0-9._-]{0,63}$/
