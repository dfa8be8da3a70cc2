/** Explains the scopes of devices in words. */
import { isScope } from '../../../../protocol/scopes.ts'

/** The families of domains that a device can be enrolled for, and what the device signs in each family. */
const FAMILIES = [
  { name: 'kbd-control', whole: 'signs any change of the boards', narrowed: 'on the boards' },
  { name: 'kbd-content', whole: 'pushes the texts of cards and comments', narrowed: 'on the texts' },
] as const

/** What a verb allows, for verbs that are not `<noun>.<action>`, or that need other words. */
const VERBS: Readonly<Record<string, string>> = {
  push: 'push',
  board: 'any change of a board',
  column: 'any change of a column',
  card: 'any change of a card',
  label: 'labels',
  link: 'links',
  comment: 'comments',
  claim: 'claims',
  'conflict.resolve': 'resolve conflicts',
  'claim.force': 'take a claim by force',
}

/** What a scope allows, in words. Returns undefined if the text is not a scope. */
export function scopeInWords(scope: string): string | undefined {
  if (!isScope(scope, FAMILIES)) return undefined
  const [domain, verbs] = scope.split('#') as [string, string?]
  const [name, project] = domain.split(':') as [string, string]
  const family = FAMILIES.find((candidate) => candidate.name === name)
  if (family === undefined) return undefined
  const { whole, narrowed } = family
  const where = project === '*' ? 'of all projects' : `of ${project}`
  if (verbs === undefined) return `${whole} ${where}`
  return `${listed(verbs.split(',').map(verbInWords))} ${narrowed} ${where}, nothing else`
}

function verbInWords(verb: string): string {
  if (VERBS[verb] !== undefined) return VERBS[verb]
  const [thing, action] = verb.split('.')
  return `${action} a ${thing}`
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/**
 * The scopes in a text, separated by white space, semicolons or commas. A comma between two verbs does not separate
 * scopes.
 */
export function readScopes(text: string): readonly string[] {
  return [...new Set(text.split(/[\s;]+|,(?=[\w-]+:)/).filter((scope) => scope !== ''))]
}
