/** Compares the answers of a user's feature with what its routes declare. */

import type { FeatureValue } from '../../core/declare/feature.ts'
import { isStandard } from '../../core/declare/operations-of-routes.ts'
import type { AnswerAbout, RouteValue } from '../../core/declare/route.ts'
import type { SurfaceName } from '../../core/http/route.ts'
import type { Target } from '../../core/testing/contract.ts'
import { findMisfit } from '../../plugins/sync/engine/admission/json-schema.ts'
import { commonRefusals } from '../../scripts/openapi/document.ts'
import type { Seen } from './openapi.ts'

/**
 * A target of which every answer of the feature's routes is compared with `answers`. Routes without `about` are not
 * compared.
 */
export function answersAsDeclared(target: Target, { made }: Pick<FeatureValue, 'made'>, surface: SurfaceName): Target {
  return {
    ...target,
    request: async (send) => {
      const answer = await target.request(send)
      checkDeclared(made, surface, send.method ?? 'GET', send.path, answer)
      return answer
    },
    logs: () => target.logs(),
  }
}

/** Throws if the route of a request declares no such answer. */
export function checkDeclared(
  made: readonly RouteValue<never>[],
  surface: SurfaceName,
  given: string,
  target: string,
  seen: Seen,
): void {
  const method = given === 'HEAD' ? 'GET' : given
  const path = target.split('?', 1)[0]!
  const fitting = made.filter(({ spec }) => spec.surface === surface && spec.method === method && fits(spec.path, path))
  // An exact path has priority over a pattern, as in the router.
  const route = fitting.find(({ spec }) => spec.path === path) ?? fitting[0]
  if (route?.about === undefined) return
  const answers: Readonly<Record<string, AnswerAbout>> = { ...commonRefusals(route.spec), ...route.about.answers }
  const answer = answers[seen.status]
  const where = `${given} ${path} ${seen.status}`
  if (answer === undefined) {
    const statuses = Object.keys(route.about.answers).join(', ')
    throw new Error(`${where}: \`answers\` of the route have no such status, only ${statuses}: ${seen.text}`)
  }
  if (given !== 'HEAD') checkBody(where, answer, seen)
}

function checkBody(where: string, { schema, media }: AnswerAbout, { headers, text }: Seen): void {
  const type = String(headers['content-type'] ?? '').split(';', 1)[0]!
  const expected = schema === undefined ? (media ?? '') : 'application/json'
  if (text === '' && expected === '') return
  if (type !== expected)
    throw new Error(`${where}: the body is "${type}", and the route declares "${expected}": ${text}`)
  if (schema === undefined) return
  const body: unknown = JSON.parse(text)
  if (!isStandard(schema)) {
    const misfit = findMisfit(body, schema)
    if (misfit !== undefined) throw new Error(`${where}: the body does not fit its schema at "${misfit}": ${text}`)
    return
  }
  const result = schema['~standard'].validate(body)
  if (result instanceof Promise) throw new TypeError('Schemas of answers must validate synchronously.')
  const [issue] = result.issues ?? []
  if (issue !== undefined) throw new Error(`${where}: the body does not fit its schema: ${issue.message}: ${text}`)
}

/** Whether a path fits a pattern such as `/edge/quote/:number`. */
function fits(pattern: string, path: string): boolean {
  const [names, parts] = [pattern.split('/'), path.split('/')]
  return names.length === parts.length && names.every((name, n) => name.startsWith(':') || name === parts[n])
}
