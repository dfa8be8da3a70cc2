/** Finds the native addons of a target's features for its executable. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { NativeBinary } from '../../core/declare/matrix.ts'
import { root } from '../build/paths.ts'
import type { TargetPlan } from '../build/plan/target-plan.ts'

/** One addon. Without a file the executable does not contain it, and `note` gives the reason. */
export interface Carried {
  readonly name: string
  readonly file: string | undefined
  /** The row in the output of `build-info`. A missing binary has no hash. */
  readonly shown: {
    readonly name: string
    readonly sha256: string | null
    readonly package?: string
    readonly note?: string
  }
}

/**
 * Finds every addon that the features of a target name, for a platform and an ABI version of Node. `find` returns the
 * file of a path.
 */
export function nativeBinaries(
  { features }: TargetPlan,
  platform: string,
  abi: string,
  find: (path: string) => string = (path) => resolve(root, path),
): Carried[] {
  return features
    .flatMap(({ feature }) => Object.entries(feature.binaries ?? {}))
    .map(([name, binary]) => carry(name, binary, platform, abi, find))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function carry(
  name: string,
  { files, otherwise }: NativeBinary,
  platform: string,
  abi: string,
  find: (path: string) => string,
): Carried {
  const path = files[platform]?.replace('{abi}', abi)
  const missing = (why: string): Carried => ({
    name,
    file: undefined,
    shown: { name, sha256: null, note: `${why}: ${otherwise}` },
  })
  if (path === undefined) return missing(`not embedded on ${platform}`)
  const file = find(path)
  if (!existsSync(file)) return missing(`${path} was not installed when this was built`)
  const from = packageOf(file)
  return { name, file, shown: { name, sha256: sha256Of(file), ...(from !== undefined && { package: from }) } }
}

/** Name and version of the package that a file is in; undefined outside `node_modules`. */
function packageOf(file: string): string | undefined {
  const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(file)?.[0]
  if (folder === undefined) return undefined
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  return `${name}@${version}`
}

/** SHA-256 of a file in lower-case hex. */
export function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
