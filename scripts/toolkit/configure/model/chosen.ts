/** A choice of features for the bundles of a profile. */
import type { Place } from './catalogue.ts'

/** The chosen features of one bundle: true or the variant. An absent feature has no member. */
export type Chosen = Readonly<Record<string, string | true>>

/** A choice. */
export interface Choice {
  readonly library: Chosen
  /** The whole set of the program, with the features of the library; undefined for a profile without a program. */
  readonly main: Chosen | undefined
  /** Features that came along with others. They go again when nothing needs them. */
  readonly along: ReadonlySet<string>
}

/** The places where a feature can be: in the library and the program, in the program alone, in the library alone. */
export type Where = 'both' | 'main' | 'library'

/** The places of a choice. */
export function placesOf({ main }: Choice): readonly Place[] {
  return main === undefined ? ['library'] : ['library', 'main']
}

/** The features at a place. */
export function at(choice: Choice, place: Place): Chosen {
  return (place === 'main' ? choice.main : choice.library) ?? {}
}

/** Where a feature is; undefined if it is absent. */
export function whereIs(choice: Choice, id: string): Where | undefined {
  const [library, main] = [Object.hasOwn(choice.library, id), Object.hasOwn(choice.main ?? {}, id)]
  if (library) return main || choice.main === undefined ? 'both' : 'library'
  return main ? 'main' : undefined
}
