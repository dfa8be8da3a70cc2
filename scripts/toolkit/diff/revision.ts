/** Builds a profile from a revision of the folder's git repository. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { importPath, loaderArgs, realPath, root, workDir } from '../../build/paths.ts'
import { standardProfiles } from '../../build/plan/read-profile.ts'
import { toolFail } from '../errors.ts'
import { type Dist, readDist } from '../open-dist.ts'

/**
 * Builds `profile` from the files of `revision`, in a temporary folder. A revision of this project is built by its own
 * toolkit; a revision of a user's repository is built by this toolkit.
 * @throws SvcError `ERR_TOOL_INPUT` for an unknown revision and for a profile outside the repository, `ERR_TOOL_FAILED`
 * if the build fails
 */
export function distAt(revision: string, profile: string): Dist {
  const work = realPath(mkdtempSync(join(tmpdir(), 'svc-build-')))
  const [tree, dist] = [join(work, 'tree'), join(work, 'dist')]
  try {
    for (const folder of [tree, dist]) mkdirSync(folder)
    const top = checkOut(revision, tree, join(work, 'index'))
    const cwd = join(tree, relative(top, workDir))
    // The folder can be missing in the revision.
    mkdirSync(cwd, { recursive: true })
    const word = profileAt(profile, top, tree, cwd)
    linkPackages(top, tree)
    const revisionCli = join(cwd, 'scripts/toolkit/cli.ts')
    const [cli, loader] = existsSync(revisionCli)
      ? [revisionCli, []]
      : [join(root, 'scripts/toolkit/cli.ts'), loaderArgs]
    const args = ['--disable-warning=ExperimentalWarning', ...loader, cli, 'build', word, '--json']
    const env = { ...process.env, SVC_DIST: dist }
    const built = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
    if (built.status !== 0) {
      const stderr = built.stderr.trim().split('\n').slice(-12).join('\n')
      const hint = 'A revision from before account.json cannot be compared.'
      throw toolFail('ERR_TOOL_FAILED', { message: `${profile} cannot be built at ${revision}: ${stderr}`, hint })
    }
    const [{ profile: name }] = JSON.parse(built.stdout) as [{ profile: string }]
    return readDist(join(dist, name))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Writes all files of a revision. `git archive` would leave out files with `export-ignore`. Returns the top folder of
 * the repository, which is not changed.
 */
function checkOut(revision: string, to: string, index: string): string {
  const top = realPath(git(['rev-parse', '--show-toplevel'], workDir))
  // A word that starts with `-` is not an option.
  const commit = git(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    workDir,
    `git has no revision "${revision}".`,
  )
  const env = { ...process.env, GIT_INDEX_FILE: index }
  git(['read-tree', commit], top, undefined, env)
  git(['checkout-index', '--all', `--prefix=${to}/`], top, undefined, env)
  return top
}

function git(args: readonly string[], cwd: string, otherwise?: string, env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync('git', [...args], { encoding: 'utf8', cwd, env })
  if (error !== undefined) throw toolFail('ERR_TOOL_FAILED', { message: `git cannot be run: ${error.message}` })
  if (status === 0) return stdout.trim()
  throw toolFail('ERR_TOOL_INPUT', { message: otherwise ?? `git says: ${stderr.trim()}` })
}

/** The word for the profile in the checked-out tree: a standard name, or the path of its file there. */
function profileAt(profile: string, top: string, tree: string, cwd: string): string {
  if (standardProfiles().includes(profile) && !/[/\\.]/.test(profile)) return profile
  const inside = relative(top, resolve(workDir, profile))
  if (inside.startsWith('..') || isAbsolute(inside)) {
    throw toolFail('ERR_TOOL_INPUT', { message: `${profile} is not in the repository ${top}.` })
  }
  return importPath(cwd, join(tree, inside))
}

/**
 * Packages are not in git, so the installed ones are used. For this project, the proof compares them with the lock file
 * of the revision.
 */
function linkPackages(top: string, tree: string): void {
  for (let at = workDir; ; at = join(at, '..')) {
    const [now, then] = [join(at, 'node_modules'), join(tree, relative(top, at), 'node_modules')]
    if (existsSync(now) && !existsSync(then)) symlinkSync(now, then)
    if (at === top) return
  }
}
