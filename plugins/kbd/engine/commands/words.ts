/** What members of commands may be, as sentences for people; and the texts that only an entry refuses. */
import type { Command } from '../../api.ts'
import { TEXT_BYTES } from './fields.ts'

const TEXTS: Readonly<Record<string, readonly [what: string, max: number]>> = {
  title: ['A title', TEXT_BYTES.title],
  name: ['A label', TEXT_BYTES.label],
  agent: ['The name of an agent', TEXT_BYTES.agent],
  assignee: ['An assignee', TEXT_BYTES.assignee],
}
const OTHERS: Readonly<Record<string, string>> = {
  priority: 'A priority is an integer from 0 to 4, or null.',
  wipLimit: 'A limit of cards is an integer from 1 to 1000, or null.',
  leaseMs: 'A lease has 10000 to 86400000 milliseconds.',
  rank: 'A rank has 1 to 64 of 0-9, A-Z and a-z, and does not end with 0.',
  bodyHash: 'A comment has a text.',
}
/** The SHA-256 of no bytes. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Whether a text has no character that people see. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text)
}

/**
 * The member with a blank title or label, or with the hash of an empty comment, as a JSON Pointer from the envelope.
 * Refused at entry only: commands that other nodes have taken are taken here too.
 */
export function findBlank(command: Command): string | undefined {
  if ('title' in command && command.title !== undefined && isBlank(command.title)) return '/command/title'
  if (command.type === 'label.add' && isBlank(command.name)) return '/command/name'
  const isComment = command.type === 'comment.add' || command.type === 'comment.edit'
  return isComment && command.bodyHash === EMPTY ? '/command/bodyHash' : undefined
}

/** What a member of a command may be, and what it is. Undefined for members that people do not write. */
export function inWords(command: object, member: string): string | undefined {
  const [, name = ''] = /^\/command\/(\w+)$/.exec(member) ?? []
  if (!Object.hasOwn(TEXTS, name)) return Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined
  const [what, max] = TEXTS[name]!
  const [, value] = Object.entries(command).find(([key]) => key === name) ?? []
  if (typeof value !== 'string') return `${what} is a text of 1 to ${max} bytes of UTF-8.`
  const bytes = new TextEncoder().encode(value).length
  if (bytes > max || bytes === 0) return `${what} has 1 to ${max} bytes of UTF-8; this has ${bytes}.`
  return value.includes('\0') ? `${what} has no U+0000.` : `${what} has a character that people see.`
}
