/** What comes along with a feature that is switched on, and what goes along with one that is switched off. */

import type { Choice, Chosen } from './catalogue.ts'
import { type Catalogue, fitting, type Place, pluginOf, providersOf } from './catalogue.ts'

/** Adds a feature at a place, and the features that it needs there. */
export function addAlong(
  catalogue: Catalogue,
  choice: Choice,
  place: Place,
  id: string,
  variant: string | true,
): Choice {
  const features: Record<string, string | true> = { ...setAt(choice, place), [id]: variant }
  const added: string[] = []
  const waiting = [id]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { id: other, variant: chosen } of missing(catalogue, features, place, next)) {
      features[other] = chosen
      added.push(other)
      waiting.push(other)
    }
  }
  return { ...withSet(choice, place, features), along: new Set([...choice.along, ...added]) }
}

interface Needed {
  readonly id: string
  readonly variant: string | true
}

/** What a feature needs and the set lacks. What cannot run at the place is left out, and reported as a conflict. */
function missing(catalogue: Catalogue, features: Chosen, place: Place, id: string): Needed[] {
  const needs: Needed[] = []
  for (const other of catalogue.knownFeatures[id]?.requires ?? []) {
    const [variant] = fitting(catalogue, other, place)
    if (!Object.hasOwn(features, other) && variant !== undefined) needs.push({ id: other, variant })
  }
  for (const name of capabilitiesOf(catalogue, id, features[id]!)) {
    const having = { ...features, ...Object.fromEntries(needs.map((one) => [one.id, one.variant])) }
    if (isProvided(catalogue, having, name)) continue
    const provider = providersOf(catalogue, name).find(
      (one) =>
        !Object.hasOwn(having, one.id) &&
        fitting(catalogue, one.id, place).includes(one.variant ?? true) &&
        excludersOf(catalogue, having, one.id).length === 0,
    )
    if (provider !== undefined) needs.push({ id: provider.id, variant: provider.variant ?? true })
  }
  return needs
}

/**
 * Removes features at a place, then the features there that need one of them, and then the features that came along and
 * that nothing needs any more.
 */
export function removeAlong(catalogue: Catalogue, choice: Choice, place: Place, ids: readonly string[]): Choice {
  const features: Record<string, string | true> = { ...setAt(choice, place) }
  for (const id of ids) delete features[id]
  const lost = new Set(ids)
  for (let changed = true; changed; ) {
    changed = false
    for (const id of Object.keys(features)) {
      if (!needsOne(catalogue, features, id, lost)) continue
      delete features[id]
      lost.add(id)
      changed = true
    }
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const id of Object.keys(features)) {
      if (!choice.along.has(id) || isNeeded(catalogue, features, id)) continue
      delete features[id]
      changed = true
    }
  }
  const next = withSet(choice, place, features)
  const isLeft = (id: string): boolean => Object.hasOwn(next.library, id) || Object.hasOwn(next.main ?? {}, id)
  return { ...next, along: new Set([...choice.along].filter(isLeft)) }
}

/** Whether a feature needs one of the lost features, or a capability that only they provided. */
function needsOne(catalogue: Catalogue, features: Chosen, id: string, lost: ReadonlySet<string>): boolean {
  if ((catalogue.knownFeatures[id]?.requires ?? []).some((other) => lost.has(other))) return true
  return capabilitiesOf(catalogue, id, features[id]!).some(
    (name) =>
      !isProvided(catalogue, features, name) && providersOf(catalogue, name).some((provider) => lost.has(provider.id)),
  )
}

/** Whether a present feature requires another, or a capability that no third feature provides. */
function isNeeded(catalogue: Catalogue, features: Chosen, id: string): boolean {
  const { [id]: _, ...others } = features
  return Object.keys(others).some((other) => needsOne(catalogue, others, other, new Set([id])))
}

/**
 * The features of a set that exclude a feature: by a declared conflict of either, as a second provider, or as a second
 * program.
 */
export function excludersOf(catalogue: Catalogue, features: Chosen, id: string): string[] {
  const { conflicts = [], main } = catalogue.knownFeatures[id] ?? {}
  const provides = new Set((catalogue.planned[id] ?? []).flatMap(({ plugin }) => plugin?.provides ?? []))
  return Object.keys(features).filter((other) => {
    if (other === id) return false
    const row = catalogue.knownFeatures[other]
    if (conflicts.includes(other) || row?.conflicts?.includes(id) === true) return true
    if (main !== undefined && row?.main !== undefined) return true
    return pluginOf(catalogue, other, features[other]!)?.provides?.some((name) => provides.has(name)) === true
  })
}

function capabilitiesOf(catalogue: Catalogue, id: string, choice: string | true): string[] {
  const plugin = pluginOf(catalogue, id, choice)
  return [...(plugin?.requires ?? []), ...(plugin?.requiresLater ?? [])]
}

function isProvided(catalogue: Catalogue, features: Chosen, capability: string): boolean {
  return Object.keys(features).some(
    (id) => pluginOf(catalogue, id, features[id]!)?.provides?.includes(capability as never) === true,
  )
}

function setAt({ library, main }: Choice, place: Place): Chosen {
  return (place === 'main' ? main : library) ?? {}
}

function withSet(choice: Choice, place: Place, features: Chosen): Choice {
  return place === 'main' ? { ...choice, main: features } : { ...choice, library: features }
}
