/** The parts of the proof of a build that the page shows. */
import type { BuildList } from '../../session.ts'
import { consoleApi, ServiceError } from './service.ts'

/** The evidence that a feature is not in a bundle. */
export interface Absence {
  readonly bytes: number
  /** The bytes of the feature in the bundle of this profile with the define of the feature switched on. */
  readonly positive: { readonly profile: string; readonly bytes: number }
  /** The file of the feature that the proof found in the bundle when the define of the feature was switched on. */
  readonly mutation: string
}

/** One bundle of a proof. */
export interface ProvenBundle {
  readonly file: string
  readonly platform: string
  readonly bytes: number
  readonly gzipBytes: number
  readonly sha256: string
  /** Bytes and files by owner: `feature:probes`, `package:pino`, `core`, `shared:realtime`, `registry`. */
  readonly in: Readonly<Record<string, { readonly bytes: number; readonly files: number }>>
  readonly out: Readonly<Record<string, Absence>>
  readonly builtins: { readonly allowed: readonly string[]; readonly used: readonly string[] }
}

/** `proof.json`. */
export interface BuildProof {
  readonly profile: string
  readonly bundles: readonly ProvenBundle[]
}

/** Reads the list of the builds beside the program. */
export function readBuilds(signal?: AbortSignal): Promise<BuildList> {
  return consoleApi<BuildList>('/builds', signal === undefined ? {} : { signal })
}

/** Reads the proof of a build. Resolves to undefined if the build has no proof. */
export async function readProof(profile: string, signal?: AbortSignal): Promise<BuildProof | undefined> {
  try {
    return await consoleApi<BuildProof>(
      `/builds/${encodeURIComponent(profile)}/proof`,
      signal === undefined ? {} : { signal },
    )
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined
    throw error
  }
}

/** The main bundle of a proof: the program, or else the first bundle. */
export function programOf({ bundles }: BuildProof): ProvenBundle | undefined {
  return bundles.find(({ file }) => file === 'svc.mjs') ?? bundles[0]
}
