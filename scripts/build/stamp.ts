/** Writes the commit of the sources and the hash of a bundle into the manifest inside the bundle. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { buildFail } from './errors.ts'
import { workDir } from './paths.ts'

/** Placeholder for sources outside a repository, and for bundles that do not name their commit yet. */
export const NO_COMMIT = 'unknown'

/** A full or shortened hash; the suffix `-dirty` means that tracked files have changes. */
const COMMIT = /^(?:[0-9a-f]{7,64}(?:-dirty)?|unknown)$/

/**
 * Returns the commit in the environment variable SVC_COMMIT, or else the checked-out commit of `folder`, with `-dirty`
 * if tracked files have changes. Returns `unknown` without git or a repository.
 * @throws SvcError `ERR_BUILD_FAILED` if SVC_COMMIT is not a commit
 */
export function commitOf(folder: string = workDir): string {
  const fromEnvironment = process.env['SVC_COMMIT'] ?? ''
  if (fromEnvironment !== '') {
    if (COMMIT.test(fromEnvironment)) return fromEnvironment
    throw buildFail('ERR_BUILD_FAILED', {
      message: 'SVC_COMMIT is no commit: 7 to 64 of 0-9 and a-f.',
      hint: 'git rev-parse HEAD',
    })
  }
  // Tags are excluded: moving a tag would change the build of the same sources.
  const args = ['-C', folder, 'describe', '--always', '--dirty', '--abbrev=40', '--exclude=*']
  const commit = spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? ''
  return COMMIT.test(commit) ? commit : NO_COMMIT
}

/** Where a bundle contains its commit: after its hash. The hash is computed with `unknown` in this place. */
const PLACE = /(bundleSha256:\s*["'`][0-9a-f]{64}["'`],\s*commit:\s*["'`])[0-9a-f]{7,64}(?:-dirty)?(?=["'`])/
const UNKNOWN = /(bundleSha256:\s*["'`][0-9a-f]{64}["'`],\s*commit:\s*["'`])unknown(?=["'`])/

/** The members of a bundle that contain the commit. */
interface Named {
  readonly text: string
  readonly target: { readonly manifest: { readonly commit?: string } }
}

/**
 * Writes the commit into the manifest of a bundle. Bundles are built, proven and cached without a commit, so that a new
 * commit of the same sources only rewrites the files.
 */
export function withCommit<B extends Named>(bundle: B, commit: string): B {
  const { target } = bundle
  return {
    ...bundle,
    text: bundle.text.replace(UNKNOWN, `$1${commit}`),
    target: { ...target, manifest: { ...target.manifest, commit } },
  }
}

/** The text of a bundle with `unknown` in place of the commit. */
export function withoutCommit(text: string): string {
  return text.replace(PLACE, `$1${NO_COMMIT}`)
}

/** Placeholder for the hash of a bundle inside the bundle. */
export const HASH_PLACEHOLDER: string = '0'.repeat(64)

/**
 * Writes the hash of a bundle into its manifest: SHA-256 over the text with 64 zeros in that place.
 * @throws SvcError `ERR_BUILD_FAILED` where the bundle carries no manifest
 */
export function stamp(raw: string): { text: string; sha256: string } {
  // Matches the name of the member too, because 64 zeros may also be other data, such as an encoded curve point.
  const place = new RegExp(`(bundleSha256:\\s*["'\`])${HASH_PLACEHOLDER}`)
  if (!place.test(raw)) throw buildFail('ERR_BUILD_FAILED', { message: 'The bundle does not carry its manifest.' })
  const sha256 = createHash('sha256').update(raw).digest('hex')
  return { text: raw.replace(place, `$1${sha256}`), sha256 }
}

/**
 * The text over which the hash of a bundle is computed: zeros in place of the hash, no commit. Undefined without a
 * manifest.
 */
export function unstamped(text: string): string | undefined {
  const place = /(bundleSha256:\s*["'`])[0-9a-f]{64}/
  return place.test(text) ? withoutCommit(text).replace(place, `$1${HASH_PLACEHOLDER}`) : undefined
}
