/**
 * The installation of docs/operating.md on a bare machine, with the commands, the unit and the wrapper of the page. The
 * service runs as the unit says, and every command of an operator reaches it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import type { Child } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { cannot, installationOf } from './installation.ts'
import type { Machine, Ran } from './machine.ts'

const { unit, program, install } = installationOf(readFileSync(join(root, 'docs/operating.md'), 'utf8'))

async function start(machine: Machine): Promise<Child> {
  const service = machine.start(unit)
  await service.waitFor(/"socket":"\/run\/svc\/sync\.sock"/, 60_000)
  return service
}

async function stop(machine: Machine, service: Child): Promise<void> {
  assert.equal(await service.stop(unit.stopSignal), { code: 0, signal: null }, service.out)
  machine.ended(unit)
}

/** Runs a command of root, which must succeed. Returns both outputs. */
function succeed(machine: Machine, line: string): string {
  const { code, out, err } = machine.run(['svc', ...line.split(' ')])
  assert.is(code, 0, `svc ${line}: ${out}${err}`)
  return out + err
}

testUnless(test, cannot, 'the unit starts on a bare machine, and every command of its operator works', async () => {
  const machine = await install()
  assert.is.not(machine.run(['node', '--version']).code, 0, 'the machine has no Node')
  const service = await start(machine)
  try {
    assert.match(succeed(machine, 'health'), '"status":"ready"')
    assert.match(succeed(machine, 'health --local'), '"status":"ready"')
    assert.is(succeed(machine, 'socket').trim(), '/run/svc/sync.sock')
    assert.match(succeed(machine, 'print-config --set'), '/etc/svc/config.json')
    assert.match(succeed(machine, 'device keygen --out /var/backups/svc/device'), /^ed25519:/)
    succeed(machine, 'device enroll --key /var/backups/svc/device.pub --scope kbd-control:demo')
    assert.match(succeed(machine, 'device list'), 'kbd-control:demo')
    assert.match(succeed(machine, 'audit verify'), 'all as they were written')
    assert.match(succeed(machine, 'board list'), 'demo')
    assert.match(succeed(machine, 'token --sub ada'), /^\w+\.\w+\.[\w-]+$/m)
    assert.match(succeed(machine, 'store info'), '1 device')
    assert.match(succeed(machine, 'store check'), 'nothing is damaged')
    assert.match(succeed(machine, 'store backup /var/backups/svc/first.db'), '1 device')
  } finally {
    await stop(machine, service)
  }

  succeed(machine, 'device enroll --key /var/backups/svc/device.pub --scope kbd-control:later')
  assert.match(succeed(machine, 'device list'), 'kbd-control:later')
  assert.match(succeed(machine, 'store restore /var/backups/svc/first.db'), '1 device')
  assert.not.match(succeed(machine, 'device list'), 'kbd-control:later')
  await stop(machine, await start(machine))
  assert.equal(readdirSync(join(machine.root, 'tmp')), [], 'nothing is left in /tmp')
})

/** What a command says to a user who is not that of the service. */
function told({ code, err }: Ran): string {
  assert.is.not(code, 0)
  return err
}

testUnless(test, cannot, 'root and other users learn whose files these are, and what to type', async () => {
  const machine = await install()
  const service = await start(machine)
  const config = ['--config', '/etc/svc/config.json']
  try {
    for (const command of ['store info', 'health --local', 'device list', 'audit verify', 'board list']) {
      const text = told(machine.run([program, ...command.split(' '), ...config]))
      assert.match(text, /belongs to the user svc[\s\S]*: runuser -u svc -- svc …/, `root: ${command}`)
      const other = told(machine.run(['svc', ...command.split(' ')], { user: 'ada' }))
      assert.match(other, /\/etc\/svc\/config\.json .*may not read it[\s\S]*sudo svc …/, `ada: ${command}`)
    }
    const environment = ['env', 'SVC_SYNC__SOCKET_PATH=/run/svc/sync.sock', 'SVC_STORAGE__DIR=/var/lib/svc']
    for (const command of ['store info', 'health --local', 'device list', 'board list'])
      assert.match(
        told(machine.run([...environment, program, ...command.split(' ')], { user: 'ada' })),
        /belongs to the user svc[\s\S]*: sudo -u svc svc …/,
        `ada, without the file: ${command}`,
      )
  } finally {
    await stop(machine, service)
  }
})

test.run()
