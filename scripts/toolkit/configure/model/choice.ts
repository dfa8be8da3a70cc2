/** Changes of a choice. All functions are pure: they return a new choice. */
import type { FeatureSet } from '../../../../core/declare/matrix.ts'
import { chosen } from '../../../build/plan/checks/check-features.ts'
import type { LoadedProfile } from '../../../build/plan/load-profile.ts'
import { addAlong, removeAlong } from './along.ts'
import {
  at,
  type Catalogue,
  type Choice,
  type Chosen,
  fitting,
  type Place,
  placesOf,
  type Where,
  whereIs,
} from './catalogue.ts'

/** The choice that a profile makes. */
export function choiceOf({ library, main }: Pick<LoadedProfile, 'library' | 'main'>): Choice {
  return {
    library: present(library.features),
    main: main === undefined ? undefined : present({ ...library.features, ...main.features }),
    along: new Set(),
  }
}

function present(features: FeatureSet): Chosen {
  return Object.fromEntries(chosen(features).map((id) => [id, features[id] as string | true]))
}

/** Where a feature goes if a person does not say: where our profiles have it, and where it runs. */
function defaultWhere(catalogue: Catalogue, choice: Choice, id: string): Where {
  if (choice.main === undefined) return 'both'
  const { main, commands } = catalogue.knownFeatures[id] ?? {}
  const isForProgram = main !== undefined || commands !== undefined || catalogue.programOnly.has(id)
  return isForProgram || fitting(catalogue, id, 'library').length === 0 ? 'main' : 'both'
}

/** Switches a feature on, with everything that it needs; a feature that is present moves. */
export function switchOn(
  catalogue: Catalogue,
  choice: Choice,
  id: string,
  where: Where = whereIs(choice, id) ?? defaultWhere(catalogue, choice, id),
): Choice {
  const wanted = placesOf(choice).filter((place) => where === 'both' || place === where)
  let next: Choice = choice
  for (const place of placesOf(choice)) {
    if (!wanted.includes(place)) {
      if (Object.hasOwn(at(next, place), id)) next = removeAlong(catalogue, next, place, [id])
      continue
    }
    const variant = at(choice, place)[id] ?? fitting(catalogue, id, place)[0] ?? anyOf(catalogue, id)
    next = addAlong(catalogue, next, place, id, variant)
  }
  return { ...next, along: without(next.along, id) }
}

/** Switches a feature off, with everything that needs it, and with what came along with it alone. */
export function switchOff(catalogue: Catalogue, choice: Choice, id: string): Choice {
  return placesOf(choice).reduce((next, place) => removeAlong(catalogue, next, place, [id]), choice)
}

/** Switches a feature on if it is absent, or else off. */
export function toggle(catalogue: Catalogue, choice: Choice, id: string): Choice {
  return whereIs(choice, id) === undefined ? switchOn(catalogue, choice, id) : switchOff(catalogue, choice, id)
}

/**
 * Chooses a variant at each place where the feature is present, or at one place. A place whose platform cannot run the
 * variant keeps its own, unless that place is named.
 */
export function chooseVariant(catalogue: Catalogue, choice: Choice, id: string, variant: string, only?: Place): Choice {
  return placesOf(choice).reduce((next, place) => {
    const isNamed = place === only
    if (!Object.hasOwn(at(next, place), id) || (only !== undefined && !isNamed)) return next
    if (!isNamed && !fitting(catalogue, id, place).includes(variant)) return next
    return addAlong(catalogue, next, place, id, variant)
  }, choice)
}

function anyOf({ planned }: Catalogue, id: string): string | true {
  return planned[id]?.[0]?.variant ?? true
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((one) => one !== id))
}

/** One difference of two choices. */
export interface ChoiceChange {
  readonly id: string
  readonly place: Place
  readonly from: string | true | undefined
  readonly to: string | true | undefined
}

/** The differences of two choices, by feature. */
export function changesOf(from: Choice, to: Choice): ChoiceChange[] {
  return placesOf(to).flatMap((place) => {
    const [before, after] = [at(from, place), at(to, place)]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((id) => before[id] !== after[id])
      .map((id) => ({ id, place, from: before[id], to: after[id] }))
  })
}
