/** Builds a profile again, in another folder and without caches, and compares the files. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { EXECUTABLE, loaderArgs, realPath, root } from '../../build/paths.ts'
import { toolFail } from '../errors.ts'
import type { Dist } from '../open-dist.ts'
import { subjectsIn } from './statement.ts'

/**
 * Returns a line for every file that differs between the new build and the folder.
 * @throws SvcError `ERR_TOOL_FAILED` if the build fails
 */
export function rebuildDiffers({ folder, account }: Dist, profile: string): string[] {
  const elsewhere = realPath(mkdtempSync(join(tmpdir(), 'svc-rebuild-')))
  try {
    const subjects = subjectsIn(folder)
    const command = subjects.some(({ name }) => name === EXECUTABLE) ? 'binary' : 'build'
    const word = /[/\\]|\.[cm]?[jt]s$/.test(profile) ? resolve(profile) : profile
    const cli = join(root, 'scripts/toolkit/cli.ts')
    const args = ['--disable-warning=ExperimentalWarning', ...loaderArgs, cli, command, word, '--json']
    // With CI set, the build uses no stored proof.
    const env = {
      ...process.env,
      SVC_DIST: elsewhere,
      SVC_PROFILE_HOME: account.home ?? '',
      SVC_COMMIT: commitIn(folder),
      CI: 'true',
    }
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: elsewhere,
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
    if (status !== 0) throw toolFail('ERR_TOOL_FAILED', { message: `It could not be built again:\n${stderr.trim()}` })
    const again = new Map(subjectsIn(join(elsewhere, account.profile)).map(({ name, digest }) => [name, digest.sha256]))
    const names = [...new Set([...subjects.map(({ name }) => name), ...again.keys()])].sort()
    const caches = [codeCacheIn(folder), codeCacheIn(join(elsewhere, account.profile))] as const
    const differs = names.flatMap((name) => {
      const before = subjects.find((one) => one.name === name)?.digest.sha256
      if (before === again.get(name)) return []
      return [
        `${name} ${before === undefined ? 'is missing' : again.has(name) ? 'is another when built again' : 'is not built'}.`,
      ]
    })
    return caches[0] === caches[1] || differs.length === 0 ? differs : [...differs, explainCaches(caches)]
  } finally {
    rmSync(elsewhere, { recursive: true, force: true })
  }
}

/** The commit that a build names. The rebuild uses it, even if another commit is checked out. */
function commitIn(folder: string): string {
  const manifests = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<
    string,
    { commit?: string }
  >
  return Object.values(manifests).find(({ commit }) => commit !== undefined)?.commit ?? 'unknown'
}

/** The code cache entry in the manifest of a build's executable; undefined without an executable. */
function codeCacheIn(folder: string): string | undefined {
  const file = join(folder, 'manifest.json')
  if (!existsSync(file)) return undefined
  const { svc } = JSON.parse(readFileSync(file, 'utf8')) as { readonly svc?: { readonly codeCache?: string } }
  return svc?.codeCache
}

function explainCaches([before, now]: readonly [string | undefined, string | undefined]): string {
  const without = before === 'carried' ? 'the new one' : 'this one'
  return (
    `One of the two executables carries a code cache (this: ${before ?? 'not told'}, new: ` +
    `${now ?? 'not told'}): when ${without} was built, the machine was too busy for the ` +
    'starts of the program to agree on one. Their program is compared in the lines above.'
  )
}
