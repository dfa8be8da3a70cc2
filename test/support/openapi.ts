/** Checks answers against the OpenAPI contract, which must describe each answer that a suite receives. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { JsonSchema } from '../../core/declare/json-schema.ts'
import type { SurfaceName } from '../../core/http/route.ts'
import type { Target } from '../../core/testing/contract.ts'
import { findMisfit } from '../../plugins/sync/engine/admission/json-schema.ts'

/** The parts of an answer that are checked. */
export interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

interface Operation {
  readonly tags: readonly string[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const file = resolve(import.meta.dirname, '../..', 'openapi.json')
const contract = JSON.parse(readFileSync(file, 'utf8')) as Document
const templates = Object.entries(contract.paths).map(([path, item]) => ({
  expression: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  item,
}))

/**
 * Throws if the contract does not describe this answer. For a path that the contract does not have on this surface,
 * only the error envelope is allowed.
 */
export function checkAnswerOf(method: string, target: string, seen: Seen, surface?: SurfaceName): void {
  // The answer to a CORS preflight request is not an operation of the contract (Fetch standard, section 3.2.4).
  if (method === 'OPTIONS' && seen.status === 204 && seen.text === '') return
  const path = target.split('?', 1)[0]!
  // An exact path has priority over a pattern, as in the router.
  const found = templates.filter(({ expression }) => expression.test(path)).sort((a, b) => length(b) - length(a))[0]
  const candidate = found?.item[(method === 'HEAD' ? 'GET' : method).toLowerCase()]
  const operation = surface === undefined || candidate?.tags.includes(surface) ? candidate : undefined
  const where = `${method} ${path} ${seen.status}`
  if (operation === undefined) {
    if (seen.status < 400) throw new Error(`${where}: the contract does not know this operation`)
    check(where, seen, contract.components.schemas['Error']!)
    return
  }
  const response = operation.responses[seen.status]
  if (response === undefined) throw new Error(`${where}: the contract does not know this status: ${seen.text}`)
  if (response.content === undefined) {
    if (seen.text !== '') throw new Error(`${where}: a body that the contract does not know`)
    return
  }
  const type = String(seen.headers['content-type'] ?? '').split(';', 1)[0]!
  const media = response.content[type]
  if (media === undefined) throw new Error(`${where}: the contract does not know content type ${type}`)
  if (type === 'application/json' && method !== 'HEAD') check(where, seen, media.schema)
}

/**
 * A target whose answers are all checked. On the `absent` side of a feature its paths are unknown: a caller with a
 * credential gets the 404 of an unknown path, which the contract does not list for a route that exists.
 */
export function checkedTarget(target: Target, surface: SurfaceName, side: 'present' | 'absent'): Target {
  return {
    ...target,
    request: async (send) => {
      const answer = await target.request(send)
      if (side === 'absent' && answer.status === 404) check(send.path, answer, contract.components.schemas['Error']!)
      else checkAnswerOf(send.method ?? 'GET', send.path, answer, surface)
      return answer
    },
    logs: () => target.logs(),
  }
}

function check(where: string, { text }: Seen, schema: JsonSchema): void {
  const mismatch = findMisfit(text === '' ? undefined : JSON.parse(text), inline(schema) as JsonSchema)
  if (mismatch !== undefined && text !== '')
    throw new Error(`${where}: the body breaks the contract at "${mismatch}": ${text}`)
}

/** A schema with its references replaced by the referenced schemas. */
function inline(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inline)
  if (typeof part !== 'object' || part === null) return part
  const reference = (part as { $ref?: string }).$ref
  if (reference !== undefined) return inline(contract.components.schemas[reference.split('/').at(-1)!])
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, inline(value)]))
}

function length({ expression }: { expression: RegExp }): number {
  return expression.source.replaceAll('[^/]+', '').length
}
