/** What a build says of itself: embedded in every artefact, shown in full by `build-info`. */
import type { StorePart } from './capabilities.ts'

/** How settled a feature is. */
export type Stability = 'experimental' | 'stable' | 'deprecated'

/** What every build says of itself. */
export interface BuildInfo {
  readonly name: string
  readonly version: string
  readonly profile: string
  readonly platform: string
  readonly features: readonly {
    readonly id: string
    /** Which implementation, where a feature has several. */
    readonly variant?: string
  }[]
  /** Version of the Node that built it. */
  readonly node: string
  /** SHA-256 of the bundle with this value as 64 zeros, in lower-case hex. */
  readonly bundleSha256: string
  /** Commit of the sources, `unknown` without a repository. A library for the web leaves it to `manifest.json`. */
  readonly commit?: string
}

/** All that is known of a build: what a program says of itself, and `manifest.json` of a library too. */
export interface Manifest extends BuildInfo {
  readonly features: readonly (BuildInfo['features'][number] & {
    readonly summary: string
    readonly stability: Stability
    readonly since: string
  })[]
  readonly plugins: readonly { readonly name: string; readonly feature: string; readonly version: string }[]
  readonly routes: readonly { readonly surface: string; readonly method: string; readonly path: string }[]
  readonly settings: readonly string[]
}

/** What the generated registry of a profile hands to the kernel. */
export interface Registry<P = unknown, M extends BuildInfo = BuildInfo> {
  readonly manifest: M
  readonly plugins: readonly P[]
  /** What the features of this build keep in the store. */
  readonly storeParts: readonly StorePart[]
  /** Paths of the runtime surface that need no credential, those of absent features too. */
  readonly open: readonly string[]
  /** What this profile lacks, with the profiles that have it, so that a refusal can say where to look. */
  readonly absent: {
    readonly settings: Readonly<Record<string, readonly string[]>>
    readonly capabilities: Readonly<Record<string, readonly string[]>>
  }
}
