/**
 * The defines: one for each feature of the matrix, named after its id, `__PROGRAM__`, `__METRICS__`
 * and `__SCHEMAS__`. How a define becomes an absence: here a feature
 * that a profile does not choose gets the value false. In generated files, which import every plugin behind its define,
 * ../generate/fold-defines.ts removes the dead branches before their imports are followed. In all other code esbuild
 * replaces the define (`define` of ../bundle/esbuild-options.ts) and drops the dead branch, with the modules that only
 * it uses. That code asks `typeof __X__ === 'undefined' || __X__`, so that everything is present where sources run
 * without a build.
 */

import type { Problem } from '../errors.ts'
import type { LocatedFeature } from './locate-feature.ts'
import type { DefineValue, Form } from './target-plan.ts'

/** Name of a feature's define: `__AUTH_JWKS__` of `auth.jwks`. */
export function defineName(id: string): string {
  return `__${id.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}__`
}

/** The source text of the condition that a feature, or one variant of it, is present. */
export function conditionOf(id: string, variant?: string): string {
  return variant === undefined ? defineName(id) : `${defineName(id)} === '${variant}'`
}

/** The define that is true in a program. Only a program reads an environment and prints texts. */
const PROGRAM = '__PROGRAM__'

/** The define that is true where some plugin collects metrics. Elsewhere a bundle lacks their names and texts. */
const METRICS = '__METRICS__'

/** The define that is true where some route has a schema. Elsewhere a bundle lacks the code that validates by one. */
const SCHEMAS = '__SCHEMAS__'

/** The defines of a build besides those of features. */
export const ofBuild: readonly string[] = [PROGRAM, METRICS, SCHEMAS]

/** What the features of a bundle do. */
export interface Uses {
  /** Some feature collects metrics. */
  readonly metrics: boolean
  /** Some route has a schema. */
  readonly schemas: boolean
}

/** All defines with their values, for a bundle of this form with the `chosen` features. */
export function definesOf(
  knownFeatures: Readonly<Record<string, LocatedFeature>>,
  chosen: Readonly<Record<string, DefineValue>>,
  form: Form,
  { metrics, schemas }: Uses,
): Record<string, DefineValue> {
  const features = Object.keys(knownFeatures).map((id) => [defineName(id), chosen[id] ?? false])
  return { [PROGRAM]: form === 'main', [METRICS]: metrics, [SCHEMAS]: schemas, ...Object.fromEntries(features) }
}

/** The defines as the bundler expects them: source text by name. */
export function toDefineText(defines: Readonly<Record<string, DefineValue>>): Record<string, string> {
  return Object.fromEntries(Object.entries(defines).map(([name, value]) => [name, JSON.stringify(value)]))
}

/** Reports features with the same define, because one feature would switch the other. */
export function checkDefineNames(knownFeatures: Readonly<Record<string, LocatedFeature>>): Problem[] {
  const owners = new Map<string, string>(ofBuild.map((name) => [name, 'the build']))
  return Object.keys(knownFeatures).flatMap((id): Problem[] => {
    const name = defineName(id)
    const other = owners.get(name)
    owners.set(name, id)
    if (other === undefined && /^__[A-Z]/.test(name)) return []
    const message =
      other === undefined
        ? `No define can be named after the feature "${id}".`
        : `"${other}" and "${id}" are both ${name}.`
    return [
      { code: 'ERR_PROFILE_INVALID', message, hint: 'Name it by lower-case words with dots, such as edge.quote.' },
    ]
  })
}
