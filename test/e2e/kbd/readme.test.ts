/** The README's story of a board, word for word, on the program that ships and in an empty folder: what it prints is compared. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { type Child, startChild } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { unbuilt, untilHealthy } from '../sync/shipped.ts'
import { programArgs } from './node.ts'

const test = suite('the story of the README')

/** One command, and the lines that the README shows below it. */
interface Step {
  readonly command: string
  readonly printed: string
}

/** The terminals of the story: the blocks in which `svc` is typed, each with its steps. */
function blocksOf(text: string): readonly (readonly Step[])[] {
  return [...text.matchAll(/```console\n([\s\S]*?)```/g)]
    .map(([, block]) => block!)
    .filter((block) => block.includes('svc '))
    .map((block) =>
      block
        .split(/^\$ /m)
        .slice(1)
        .map((step) => {
          const end = step.indexOf('\n')
          return { command: step.slice(0, end), printed: step.slice(end + 1) }
        }),
    )
}

/** What differs from one run to the next, by a word: ids, hashes, what is left of a lease. */
function masked(text: string): string {
  return text
    .replace(/\b[0-9a-f]{64}\b|\b[0-9a-f]{6}…/g, '<hash>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/\b[0-9a-f]{8}\b/g, '<begin>')
    .replace(/\b1[45] min left/g, '<left>')
    .trimEnd()
}

testUnless(test, unbuilt, 'each command prints what stands below it', async () => {
  const [first, follow, second, ...more] = blocksOf(readFileSync(join(root, 'README.md'), 'utf8'))
  assert.equal([follow?.length, more.length], [1, 0])
  const folder = createFolder()
  const [work, runtime, bin] = ['work', 'runtime', 'bin'].map((name) => join(folder, name)) as [string, string, string]
  for (const made of [work, runtime, bin]) mkdirSync(made, { mode: 0o700 })
  const quoted = [process.execPath, ...programArgs].map((word) => `'${word}'`).join(' ')
  writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec ${quoted} "$@"\n`)
  chmodSync(join(bin, 'svc'), 0o755)
  const env = {
    HOME: folder,
    PATH: `${bin}:${process.env['PATH']}`,
    XDG_RUNTIME_DIR: runtime,
    SVC_SERVER__PORT: '0',
    SVC_SECURITY__JWT_SECRET: 'story-secret-of-at-least-32-bytes!!!',
  }
  const service = startChild(join(bin, 'svc'), { cwd: folder, env })
  const place = { folder, state: folder, socketPath: join(runtime, 'svc', 'sync.sock') }
  await untilHealthy(service, place)

  // As in a terminal, what is said on stderr stands with the rest.
  const type = (command: string): Child => startChild('sh', { args: ['-c', `exec 2>&1\n${command}`], cwd: work, env })
  const check = async ({ command, printed }: Step): Promise<void> => {
    const child = type(command)
    const { code } = await child.exited
    assert.is(code, 0, `${command}\n${child.out}`)
    assert.is(masked(child.out), masked(printed), command)
  }
  // `make run` has enrolled a device of its own.
  await type('svc device keygen --out ../run.key && svc device enroll --key ../run.key.pub --scope kbd-control:demo')
    .exited
  for (const step of first!) await check(step)
  const [step] = follow!
  // The shell is ended by its child, which the service ends: so both are, where the test fails.
  const terminal = type(step!.command)
  await terminal.waitFor(/STATE_SNAPSHOT/, 30_000)
  for (const one of second!) await check(one)
  const lines = step!.printed.trimEnd().split('\n')
  await terminal.waitFor(new RegExp(`(?:.*\\n){${lines.length}}`))
  assert.is((await service.stop()).code, 0)
  await terminal.exited
  // At a stop the stream says goodbye.
  assert.equal(terminal.out.trimEnd().split('\n'), [...lines, '"type":"RUN_FINISHED"'])
})

test.run()
