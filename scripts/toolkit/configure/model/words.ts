/** Sizes, places and changes in words, the same in the terminal and on the page. */
import type { Place, Where } from './catalogue.ts'
import type { ChoiceChange } from './choice.ts'
import type { Size } from './size.ts'
import type { RowView, TargetView } from './view.ts'

/** A size: `12.3 KiB`. */
export function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}

/** The place of a feature in words. */
export const whereWords: Readonly<Record<Where, string>> = {
  both: 'library and program',
  main: 'program only',
  library: 'library only',
}

/** A bundle in a word. */
export const placeWords: Readonly<Record<Place, string>> = { library: 'library', main: 'program' }

/** The size of a bundle: measured, or an estimate, which begins with `≈`. */
export function sizeWords({ bytes, isMeasured, gzipBytes, unmeasured }: Size): string {
  if (bytes === undefined) return 'not measured'
  const more = unmeasured.length === 0 ? '' : `, without ${unmeasured.length} unmeasured`
  if (!isMeasured) return `≈ ${kib(bytes)}${more}`
  return `${kib(bytes)}, ${kib(gzipBytes ?? 0)} gzip`
}

/** All bundles with their sizes, in one line. */
export function targetWords(targets: readonly TargetView[]): string {
  return targets
    .map(
      ({ place, platform, size, count }) => `${placeWords[place]} (${platform}, ${count} features): ${sizeWords(size)}`,
    )
    .join(' · ')
}

/** The measured bytes of a feature, in its chosen variant or in each. */
export function bytesWords({ bytes, chosen }: Pick<RowView, 'bytes' | 'chosen'>): string {
  const now = chosen.main ?? chosen.library
  const one = bytes.find(({ variant }) => variant === (typeof now === 'string' ? now : null)) ?? bytes[0]
  return one === undefined ? '–' : kib(one.bytes)
}

/** The choice of a feature: its variant, or one for each bundle. */
export function chosenWords({ chosen, variants }: Pick<RowView, 'chosen' | 'variants'>): string {
  if (variants.length === 0) return ''
  const names = [...new Set([chosen.library, chosen.main].filter((one) => one !== undefined))]
  return names.length === 0 ? variants.map(({ name }) => name).join('/') : names.join(' | ')
}

/** What a change did: the asked feature, then what came and went along. */
export function changeWords(id: string, changes: readonly ChoiceChange[]): string[] {
  if (changes.length === 0) return [`${id}: nothing changed`]
  const of = (fits: (change: ChoiceChange) => boolean): string[] => {
    const places = new Map<string, string[]>()
    for (const change of changes.filter(fits)) {
      const name = typeof change.to === 'string' ? `${change.id}=${change.to}` : change.id
      places.set(name, [...(places.get(name) ?? []), placeWords[change.place]])
    }
    return [...places].map(([name, in_]) => `${name} (${in_.join(', ')})`)
  }
  const came = of((one) => one.id !== id && one.to !== undefined)
  const went = of((one) => one.id !== id && one.to === undefined)
  const ownChanges = changes.filter((one) => one.id === id)
  const [head] = ownChanges
  const isOff = head !== undefined && ownChanges.every(({ to }) => to === undefined)
  const asked = of((one) => one.id === id && (isOff || one.to !== undefined))
  return [
    ...(head === undefined ? [] : [`${isOff ? 'off' : 'on'}: ${asked.join(', ')}`]),
    ...(came.length === 0 ? [] : [`comes along: ${came.join(', ')}`]),
    ...(went.length === 0 ? [] : [`goes along: ${went.join(', ')}`]),
  ]
}
