/** Which commit a build is of. */
import { spawnSync } from 'node:child_process'
import { buildFail } from './errors.ts'
import { workDir } from './paths.ts'

/** The commit of sources that are in no repository, and of a bundle before its build says which. */
export const NO_COMMIT = 'unknown'

/** A whole or shortened hash; `-dirty` says that files of the commit were changed. */
const COMMIT = /^(?:[0-9a-f]{7,64}(?:-dirty)?|unknown)$/

/**
 * The commit that the variable SVC_COMMIT names, else the one that is checked out in `folder`, with `-dirty` if files that it has are
 * changed. `unknown` without git or a repository.
 * @throws SvcError `ERR_BUILD_FAILED` if SVC_COMMIT is no commit
 */
export function commitOf(folder: string = workDir): string {
  const told = process.env['SVC_COMMIT'] ?? ''
  if (told !== '') {
    if (COMMIT.test(told)) return told
    throw buildFail('ERR_BUILD_FAILED', {
      message: 'SVC_COMMIT is no commit: 7 to 64 of 0-9 and a-f.',
      hint: 'git rev-parse HEAD',
    })
  }
  // Without tags: a name that is moved would make another build of the same sources.
  const args = ['-C', folder, 'describe', '--always', '--dirty', '--abbrev=40', '--exclude=*']
  const found = spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? ''
  return COMMIT.test(found) ? found : NO_COMMIT
}

/** Where a bundle names its commit: behind its hash, which is taken with `unknown` in this place. */
const PLACE = /(bundleSha256:\s*["'`][0-9a-f]{64}["'`],\s*commit:\s*["'`])[0-9a-f]{7,64}(?:-dirty)?(?=["'`])/
const UNKNOWN = /(bundleSha256:\s*["'`][0-9a-f]{64}["'`],\s*commit:\s*["'`])unknown(?=["'`])/

/** The part of a bundle that names a commit. */
interface Named {
  readonly text: string
  readonly target: { readonly manifest: { readonly commit?: string } }
}

/**
 * A bundle whose manifest names the commit. Bundles are made, proven and kept without it, so that a new commit of the same sources
 * takes nothing but writing the files.
 */
export function withCommit<B extends Named>(bundle: B, commit: string): B {
  const { target } = bundle
  return {
    ...bundle,
    text: bundle.text.replace(UNKNOWN, `$1${commit}`),
    target: { ...target, manifest: { ...target.manifest, commit } },
  }
}

/** The text of a bundle as it was before it named a commit. */
export function withoutCommit(text: string): string {
  return text.replace(PLACE, `$1${NO_COMMIT}`)
}
