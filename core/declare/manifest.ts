/** The description of a build. It is embedded in every artefact, and `build-info` shows all of it. */
import type { StorePart } from './capabilities.ts'

/** The stability of a feature. */
export type Stability = 'experimental' | 'stable' | 'deprecated'

/** The part of the description that every build contains. */
export interface BuildInfo {
  readonly name: string
  readonly version: string
  readonly profile: string
  readonly platform: string
  readonly features: readonly {
    readonly id: string
    /** The name of the implementation, if the feature has several. */
    readonly variant?: string
  }[]
  /** Version of the Node that built it. */
  readonly node: string
  /** SHA-256 of the bundle with this value as 64 zeros, in lower-case hex. */
  readonly bundleSha256: string
  /**
   * Commit of the sources; `unknown` without a repository. For a library for the web the commit is only in
   * `manifest.json`.
   */
  readonly commit?: string
}

/** The whole description of a build: a program contains it; for a library it is in `manifest.json`. */
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

/** What the generated registry of a profile passes to the kernel. */
export interface Registry<P = unknown, M extends BuildInfo = BuildInfo> {
  readonly manifest: M
  readonly plugins: readonly P[]
  /** What the features of this build keep in the store. */
  readonly storeParts: readonly StorePart[]
  /** Paths of the runtime surface that need no credential, including those of absent features. */
  readonly open: readonly string[]
  /**
   * Settings and capabilities that this profile lacks, each with the profiles that have it, for the texts of errors.
   */
  readonly absent: {
    readonly settings: Readonly<Record<string, readonly string[]>>
    readonly capabilities: Readonly<Record<string, readonly string[]>>
  }
}

/** A sentence that names the standard profiles that have what this one lacks. */
export function whoHas(profiles: readonly string[] = []): string {
  return profiles.length > 0 ? `Profiles that have it: ${profiles.join(', ')}.` : 'No standard profile has it.'
}
