/** Scopes of devices: `family:project`, `family:*`, and either with verbs: `kbd-control:demo#claim,comment,card`. */
import { COMMAND_FORMS } from './fields.ts'

/**
 * Verbs that a scope must name in full, because they override the work of others: `claim` does not allow `claim.force`.
 */
const NAMED: readonly string[] = ['claim.force', 'conflict.resolve']
const TYPES = Object.keys(COMMAND_FORMS)
const VERBS: ReadonlySet<string> = new Set([
  'push',
  ...TYPES,
  ...TYPES.filter((type) => !NAMED.includes(type)).map((type) => firstWordOf(type)),
])

/** Splits a scope. `verbs` is undefined if the scope allows all verbs. The family and the project are not checked. */
export function splitScope(scope: string): { readonly domain: string; readonly verbs: readonly string[] | undefined } {
  const at = scope.indexOf('#')
  return at < 0
    ? { domain: scope, verbs: undefined }
    : { domain: scope.slice(0, at), verbs: scope.slice(at + 1).split(',') }
}

/** Whether all verbs of a scope are known and none is repeated. */
export function areVerbs(verbs: readonly string[]): boolean {
  return new Set(verbs).size === verbs.length && verbs.every((verb) => VERBS.has(verb))
}

/** Whether one of the scopes allows a verb, `push` or the type of a command, in a domain. */
export function allows(scopes: readonly string[], family: string, project: string, verb: string): boolean {
  return scopes.some((scope) => {
    const { domain, verbs } = splitScope(scope)
    if (domain !== `${family}:${project}` && domain !== `${family}:*`) return false
    return verbs === undefined || verbs.includes(verb) || (!NAMED.includes(verb) && verbs.includes(firstWordOf(verb)))
  })
}

function firstWordOf(type: string): string {
  return type.split('.', 1)[0]!
}
