/** Chooses the cases that a form of a profile runs. */
import { type Case, type CaseKind, casesOn, type HttpCase, kindOf } from '../../core/testing/contract.ts'
import type { LocatedFeature } from '../../scripts/build/plan/locate-feature.ts'
import type { Plan } from '../../scripts/build/plan/target-plan.ts'
import type { Form, Quick } from './forms.ts'

/** A case of a side of a feature's contract, for a form. */
export interface Planned {
  readonly id: string
  readonly name: string
  /**
   * The feature if it belongs to a user's profile, because the OpenAPI contract of the service does not describe it.
   */
  readonly own: LocatedFeature | undefined
  readonly side: 'present' | 'absent'
  readonly one: Case
}

/** Returns the cases that a form can run, and for each other case of these kinds the reason why it cannot. */
export function casesOf(
  planned: Plan,
  form: Form,
): { readonly runnable: readonly Planned[]; readonly reasons: readonly string[] } {
  const runnable: Planned[] = []
  const reasons: string[] = []
  for (const one of allCasesOf(planned, form)) {
    const reason = (form.nodes === undefined ? undefined : one.one.oneNode) ?? reasonToSkip(form, one.one)
    if (reason === undefined) runnable.push(one)
    else reasons.push(reason)
  }
  return { runnable, reasons }
}

/** Selects the cases of a form for `make test`, always the same ones. `left` is the number of other cases. */
export function choose(
  cases: readonly Planned[],
  quick: Quick | undefined,
): { chosen: readonly Planned[]; left: number } {
  if (quick === undefined) return { chosen: cases, left: 0 }
  const groups = bySettings(cases.filter(({ one }) => kindOf(one) === 'http'))
  const commanded = new Set<string>()
  const chosen = cases.filter(({ id, side, one }) => {
    if (kindOf(one) === 'call') return true
    if (kindOf(one) === 'http') {
      const group = groups.get(JSON.stringify(one.given ?? {}))!
      const isKept = (): boolean =>
        quick.keeps?.(
          one.given ?? {},
          group.map((other) => other.id),
        ) === true
      return group.length >= quick.least || isKept()
    }
    const feature = `${id} ${side}`
    const isFirst = !commanded.has(feature)
    commanded.add(feature)
    return isFirst || quick.keeps?.(one.given ?? {}, [id]) === true
  })
  return { chosen, left: cases.length - chosen.length }
}

/** Groups HTTP cases by their settings. The cases of a group share a running service. */
export function bySettings(cases: readonly Planned[]): Map<string, Planned[]> {
  const groups = new Map<string, Planned[]>()
  for (const one of cases) {
    const key = JSON.stringify(one.one.given ?? {})
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return groups
}

/**
 * Returns the cases of every feature whose kind a form runs: the present side if the form has the feature, the absent
 * side otherwise.
 */
function allCasesOf({ knownFeatures, profile }: Plan, form: Form): Planned[] {
  const present = new Set(form.target.features.map(({ id }) => id))
  const kinds = kindsOf(form)
  return Object.entries(knownFeatures).flatMap(([id, { contract }]) => {
    const side = present.has(id) ? 'present' : 'absent'
    return casesOn(contract[side]).flatMap((one) => {
      const kind = kindOf(one)
      if (kind === undefined) throw new TypeError(`Case "${one.name}" of ${id} checks nothing: use defineContract.`)
      if (form.nodes !== undefined && !isShared(id)) return []
      return kinds.includes(kind)
        ? [{ id, name: `${id} (${side}): ${one.name}`, own: profile.ownFeatures[id] && knownFeatures[id], side, one }]
        : []
    })
  })
}

/** Returns true if the nodes of a cluster share the state of a feature. Suites of other features run on one node. */
function isShared(id: string): boolean {
  return /^(?:realtime|cluster)\.|^auth\.(?:api-keys|exchange)$/.test(id)
}

/** Returns the kinds of cases that a form runs. */
function kindsOf({ start, command, call }: Form): readonly CaseKind[] {
  return [
    ...(start ? (['http'] as const) : []),
    ...(command ? (['command'] as const) : []),
    ...(call ? (['call'] as const) : []),
  ]
}

/** Returns the reason why a form cannot run a case. */
function reasonToSkip({ target, programless }: Form, one: Case): string | undefined {
  const needs = 'refuses' in one ? ['transport.fetch'] : one.needs
  const lacking = needs?.find((needed) => !target.features.some(({ id }) => id === needed))
  if (lacking !== undefined) return `the case needs ${lacking}, which the profile does not have`
  if (programless && (!('exits' in one) || one.exits !== 'missing')) return 'the profile has no program'
  const { send, surface } = one as HttpCase
  if (send?.as !== undefined && !target.manifest.settings.includes('security.jwt_secret'))
    return 'the profile has no JWT to sign in with'
  const local = surface === 'local'
  if (local && target.form !== 'main') return 'the local surface is served by the program only'
  if (local && !target.manifest.routes.some((route) => route.surface === 'local')) {
    return 'the profile has no local surface'
  }
  return undefined
}
