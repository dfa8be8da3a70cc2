/** Compares versions (Semantic Versioning 2.0.0, section 11). */

/** A parsed version. */
interface Version {
  readonly numbers: readonly number[]
  /** The pre-release identifiers after the hyphen; empty for a release. */
  readonly early: readonly string[]
}

/** Returns a number below 0 if `a` is before `b`. A text that is not a version is before all versions. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [parse(a), parse(b)]
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined)
  for (let at = 0; at < 3; at++) {
    const difference = one.numbers[at]! - other.numbers[at]!
    if (difference !== 0) return difference
  }
  // A release comes after its pre-releases.
  if (one.early.length === 0 || other.early.length === 0) return other.early.length - one.early.length
  for (let at = 0; at < Math.max(one.early.length, other.early.length); at++) {
    const difference = comparePart(one.early[at], other.early[at])
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether a text is a version, with all or some of its three numbers. */
export function isVersion(text: string): boolean {
  return parse(text) !== undefined
}

function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  const [one, other] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (one && other) return Number(a) - Number(b)
  if (one !== other) return one ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

function parse(text: string): Version | undefined {
  const match = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(text)
  if (match === null) return undefined
  const [, major, minor = '0', patch = '0', early] = match
  return { numbers: [major, minor, patch].map(Number), early: early === undefined ? [] : early.split('.') }
}
