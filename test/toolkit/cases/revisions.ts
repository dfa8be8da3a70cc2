/** diff --git: a profile at two revisions of a user's repository. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { folderWith } from '../../support/folder.ts'
import { leaveOut } from '../../support/skip.ts'
import type { Case } from '../case.ts'
import { rigIn } from '../rig.ts'

interface Change {
  readonly kind: string
  readonly name: string
  readonly from: unknown
  readonly to: unknown
}

/** Runs git without the configuration of the machine and its user. Returns false if git is not installed. */
function git(cwd: string, ...args: readonly string[]): boolean {
  const env = {
    PATH: process.env['PATH'],
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  }
  const { error, status, stderr } = spawnSync('git', [...args], { cwd, env, encoding: 'utf8' })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return false
  assert.is(status, 0, `git ${args.join(' ')}: ${stderr}`)
  return true
}

/** The cases. */
export const revisionCases: readonly Case[] = [
  [
    'diff --git: two revisions of a profile are compared independent of the working folder, and no file of the repository changes',
    ({ folder: home, read }) => {
      const top = folderWith()
      if (!git(top, 'init', '-q')) return leaveOut('diff --git', 'git is not installed')
      const at = join(top, 'services/edge')
      const put = (name: string, text: string): void => {
        mkdirSync(dirname(join(at, name)), { recursive: true })
        writeFileSync(join(at, name), text)
      }
      for (const name of ['edge.ts', 'quote.ts']) put(name, read(name))
      // An archive of the repository would leave the file out.
      put('.gitattributes', 'quote.ts export-ignore\n')
      put('node_modules/none/package.json', '{"name":"none","version":"1.0.0"}')
      writeFileSync(join(top, '.gitignore'), 'node_modules\n')
      git(top, 'add', '.')
      git(top, 'commit', '-qm', 'one')
      git(top, 'tag', 'one')
      const changed = read('quote.ts').replace("default: 'anonymous'", "default: 'Mies'")
      put('quote.ts', changed.replace("stability: 'experimental'", "stability: 'stable'"))
      git(top, 'commit', '-qam', 'two')
      // An uncommitted change is part of no revision.
      put('edge.ts', 'broken(')
      const { run } = rigIn(at, home)
      const before = readdirSync(top, { recursive: true }).sort()
      const temporary = folderWith()
      const { code, out, err } = run(['diff', '--git', 'one', 'HEAD', 'edge.ts', '--fail-on=default,route', '--json'], {
        TMPDIR: temporary,
      })
      assert.is(code, 1, err)
      const { changes, failing } = JSON.parse(out) as { changes: Change[]; failing: number }
      assert.is(failing, 1)
      const of = (kind: string): unknown[] =>
        changes.filter((change) => change.kind === kind).map(({ name, from, to }) => [name, from, to])
      assert.equal(of('default'), [['edge.author', 'anonymous', 'Mies']])
      assert.equal(of('stability'), [['edge.quote', 'experimental', 'stable']])
      assert.equal([of('route'), of('feature'), of('package'), of('builtin')], [[], [], [], []])
      assert.equal(readdirSync(top, { recursive: true }).sort(), before, 'nothing is written into the repository')
      assert.equal(readdirSync(temporary), [], 'no temporary folder is left')
      for (const [args, said] of [
        [['nowhere', 'HEAD', 'edge.ts'], 'git has no revision "nowhere".'],
        [['--help', 'HEAD'], ''],
        [['HEAD', 'HEAD', join(home, 'edge.ts')], 'is not in the repository'],
      ] as const) {
        const { code, err } = run(['diff', '--git', ...args])
        if (said === '') assert.is(code, 0)
        else {
          assert.is(code, 78, err)
          assert.match(err, said)
        }
      }
      const gone = run(['diff', '--git', 'one', 'HEAD', 'other.ts'])
      assert.is(gone.code, 1)
      assert.match(gone.err, 'other.ts cannot be built at one: ')
      assert.ok(!existsSync(join(at, '.build')))
    },
  ],
]
