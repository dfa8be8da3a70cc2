/** Builds a profile as it was at a revision of the folder's git repository. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { loaderArgs, realPath, root, workDir } from '../../build/paths.ts'
import { toolFail } from '../errors.ts'
import { type Dist, readDist } from '../open-dist.ts'

/**
 * Builds `profile` from the files of `revision`, in a folder that is removed afterwards. A revision of this project is
 * built by its own toolkit, that of a user's folder by this one.
 * @throws SvcError `ERR_TOOL_INPUT` for a revision that there is not, `ERR_TOOL_FAILED` where its build fails
 */
export function distAt(revision: string, profile: string): Dist {
  const folder = realPath(mkdtempSync(join(tmpdir(), 'svc-build-')))
  try {
    checkOut(revision, folder)
    // Packages are not in git: those of now are used, and the lock file of the revision says where they differ.
    const [packages, there] = [join(workDir, 'node_modules'), join(folder, 'node_modules')]
    if (existsSync(packages) && !existsSync(there)) symlinkSync(packages, there)
    const own = join(folder, 'scripts/toolkit/cli.ts')
    const cli = existsSync(own) ? own : join(root, 'scripts/toolkit/cli.ts')
    const dist = join(folder, '.svc-dist')
    mkdirSync(dist)
    const args = [
      '--disable-warning=ExperimentalWarning',
      ...(existsSync(own) ? [] : loaderArgs),
      cli,
      'build',
      profile,
      '--json',
    ]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, SVC_DIST: dist },
      maxBuffer: 2 ** 26,
    })
    if (status !== 0) {
      const message = `${revision} cannot be built: ${stderr.trim().split('\n').slice(-12).join('\n')}`
      throw toolFail('ERR_TOOL_FAILED', { message, hint: 'A revision from before account.json cannot be compared.' })
    }
    const [{ profile: name }] = JSON.parse(stdout) as [{ profile: string }]
    return readDist(join(dist, name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function checkOut(revision: string, folder: string): void {
  const git = (args: readonly string[]): string => {
    const { status, stdout, stderr, error } = spawnSync('git', [...args], { encoding: 'utf8', cwd: workDir })
    if (error !== undefined) throw toolFail('ERR_TOOL_FAILED', { message: `git cannot be run: ${error.message}` })
    if (status === 0) return stdout.trim()
    throw toolFail('ERR_TOOL_INPUT', { message: `git has no revision "${revision}": ${stderr.trim()}` })
  }
  // `--` and the check keep a word that looks like an option from being one.
  const commit = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
  const top = git(['rev-parse', '--show-toplevel'])
  const prefix = relative(realPath(top), workDir).replaceAll('\\', '/')
  const tree = prefix === '' ? commit : `${commit}:${prefix}`
  const tar = join(folder, '.svc-revision.tar')
  git(['archive', '--format=tar', `--output=${tar}`, tree])
  const { status, stderr } = spawnSync('tar', ['-xf', tar, '-C', folder], { encoding: 'utf8' })
  rmSync(tar)
  if (status !== 0) throw toolFail('ERR_TOOL_FAILED', { message: `tar cannot unpack ${revision}: ${stderr}` })
}
