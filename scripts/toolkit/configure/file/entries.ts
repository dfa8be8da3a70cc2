/** The lines of a profile's file that a choice needs: only what differs from the profile that it extends. */
import type { FeatureSet } from '../../../../core/feature.ts'
import type { LoadedProfile } from '../../../build/plan/load-profile.ts'
import type { Place } from '../model/catalogue.ts'
import { at, type Choice, type Chosen } from '../model/chosen.ts'

/** A line to write: the value, or undefined for a line to remove. */
export type Entries = Readonly<Record<string, boolean | string | undefined>>

/** The lists of features that a file has itself, and the profile that it extends. */
export interface Inherited {
  readonly own: Readonly<Record<Place, FeatureSet>>
  readonly parent: Pick<LoadedProfile, 'library' | 'main'> | undefined
}

/** The lines to change in the lists of a file. A line that already says what is wanted stays, even where it is not needed. */
export function entriesFor({ own, parent }: Inherited, choice: Choice): Readonly<Record<Place, Entries>> {
  const { library } = choice
  const base: Record<Place, FeatureSet> = {
    library: parent?.library.features ?? {},
    main: { ...library, ...parent?.main?.features },
  }
  const entries = (place: Place): Entries => changed(own[place], base[place], at(choice, place))
  return { library: entries('library'), main: choice.main === undefined ? {} : entries('main') }
}

function changed(own: FeatureSet, base: FeatureSet, wanted: Chosen): Entries {
  const ids = new Set([...Object.keys(own), ...Object.keys(base), ...Object.keys(wanted)])
  return Object.fromEntries(
    [...ids].flatMap((id) => {
      const value = wanted[id] ?? false
      const now = own[id] ?? base[id] ?? false
      if (now === value) return []
      return [[id, (base[id] ?? false) === value ? undefined : value] as const]
    }),
  )
}
