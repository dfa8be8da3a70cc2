/** The operator's day of docs/tour.md on a bare machine with the installation: its commands, with a shell of root. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { withinLimit } from '../../runner/limit.ts'
import type { Child } from '../../support/child.ts'
import { checkOutputs } from '../../support/page-commands/add-stories.ts'
import { storiesRunBy } from '../../support/page-commands/page.ts'
import { runStory } from '../../support/page-commands/run-story.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { cannot, installationOf } from './installation.ts'
import { type Machine, writeOn } from './machine.ts'

const test = suite('docs/tour.md under systemd')
const { unit, install } = installationOf(readFileSync(join(root, 'docs/operating.md'), 'utf8'))
const lacks = ['curl', 'jq', 'openssl'].find((program) => !hasProgram(program))

/** `systemctl` and `journalctl` of the machine: they ask the test, which is its service manager. */
const ASK = `#!/bin/sh
echo "$(basename "$0") $*" > /run/asked.new && mv /run/asked.new /run/asked
until [ -e /run/answer ]; do sleep 0.05; done
cat /run/answer && rm /run/answer
`

/** A service manager with one unit. It does what the machine asks for, until `stop`. */
interface Manager {
  stop(): Promise<void>
}

function manage(machine: Machine): Manager {
  for (const name of ['systemctl', 'journalctl']) {
    writeOn(machine, `local/bin/${name}`, ASK)
    assert.is(machine.run(['chmod', '755', `/usr/local/bin/${name}`]).code, 0)
  }
  let service: Child | undefined
  let log = ''
  let isStopping = false
  const stopService = async (): Promise<void> => {
    const { code } = (await service?.stop(unit.stopSignal)) ?? { code: 0 }
    log += service?.out ?? ''
    service = undefined
    machine.ended(unit)
    assert.is(code, 0, log)
  }
  const actions: Readonly<Record<string, () => Promise<void> | void>> = {
    'systemctl enable --now svc': () => void (service = machine.start(unit)),
    'systemctl start svc': () => void (service = machine.start(unit)),
    'systemctl stop svc': stopService,
    // ExecReload of the unit.
    'systemctl reload svc': () => void process.kill(service!.pid, 'SIGHUP'),
    'journalctl -u svc -o cat': () => undefined,
  }
  const [asked, answer] = [join(machine.root, 'run/asked'), join(machine.root, 'run/answer')]
  const work = async (): Promise<void> => {
    while (!isStopping) {
      if (existsSync(asked)) {
        const request = readFileSync(asked, 'utf8').trim()
        rmSync(asked)
        await actions[request]?.()
        const text = request.startsWith('journalctl') ? log + (service?.out ?? '') : ''
        writeFileSync(`${answer}.new`, actions[request] === undefined ? `the test cannot do: ${request}\n` : text)
        renameSync(`${answer}.new`, answer)
      }
      await setTimeout(20)
    }
  }
  const done = work()
  return {
    stop: async () => {
      isStopping = true
      await done
      await stopService()
    },
  }
}

testUnless(test, cannot ?? (lacks && `${lacks} is not installed`), 'the day of an operator', async () => {
  const stories = storiesRunBy(readFileSync(join(root, 'docs/tour.md'), 'utf8'), 'test/e2e/install/tour.test.ts')
  assert.is(stories.length, 1)
  const machine = await install()
  const port = /"port": (\d+)/.exec(readFileSync(join(machine.root, 'etc/svc/config.json'), 'utf8'))![1]
  const manager = manage(machine)
  try {
    const outputs = await runStory(stories[0]!.blocks, {
      inClone: false,
      limitMs: withinLimit(120_000, 0.9),
      ports: { '8080': Number(port) },
      shell: machine.scriptOf,
    })
    checkOutputs('docs/tour.md', stories[0]!, outputs)
  } finally {
    await manager.stop()
  }
})

test.run()
