/** The files in the operator's manual are checked by the programs that read them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { skip } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'

const file = join(root, 'docs/operating.md')
const manual = readFileSync(file, 'utf8')

/** The block of the manual that begins with a comment with `path`. */
function block(path: string): string {
  const found = new RegExp(`\`\`\`\\w+\\n(# ${path.replaceAll('.', '\\.')}\\n[\\s\\S]*?)\`\`\``).exec(manual)
  assert.ok(found, `no block for ${path}`)
  return found![1]!
}

function checking(name: string, program: string, run: (folder: string) => void): void {
  if (!hasProgram(program)) {
    skip(test, name, `no ${program} on this machine`)
    return
  }
  test(name, () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-manual-'))
    try {
      run(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

checking('the scrape configuration and the alerts pass promtool', 'promtool', (folder) => {
  writeFileSync(join(folder, 'svc-alerts.yml'), block('svc-alerts.yml'))
  writeFileSync(join(folder, 'prometheus.yml'), block('prometheus.yml'))
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', join(folder, 'prometheus.yml')], {
    encoding: 'utf8',
  })
  assert.is(status, 0, `${stdout}${stderr}`)
  assert.match(stdout, '11 rules found')
})

checking('the unit passes systemd-analyze', 'systemd-analyze', (folder) => {
  const unit = join(folder, 'svc.service')
  // The program that the unit starts may not be installed here.
  writeFileSync(unit, block('/etc/systemd/system/svc.service').replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
  assert.is(status, 0, `${stdout}${stderr}`)
  assert.not.match(stderr, /svc\.service:\d+/)
})

test('API keys and runs of the installation outlive a restart', () => {
  const [, text] = /^cat >\/etc\/svc\/config\.json <<END\n([\s\S]*?)^END$/m.exec(manual) ?? []
  const { security, realtime } = JSON.parse(text!.replace(/\$\([^)]*\)/, '')) as Record<string, Record<string, string>>
  assert.equal([security!['key_store'], realtime!['run_store']], ['sqlite', 'sqlite'])
})

checking('the unit has an exposure level below 2.5', 'systemd-analyze', (folder) => {
  const unit = join(folder, 'svc.service')
  writeFileSync(unit, block('/etc/systemd/system/svc.service'))
  const { stdout, stderr } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
    encoding: 'utf8',
  })
  const [, level] = /Overall exposure level for svc\.service: ([\d.]+)/.exec(stdout) ?? []
  assert.ok(Number(level) < 2.5, `${level}: ${stderr}`)
})

checking('the unit of the socket passes systemd-analyze', 'systemd-analyze', (folder) => {
  const [socket, service] = [join(folder, 'svc.socket'), join(folder, 'svc.service')]
  writeFileSync(service, block('/etc/systemd/system/svc.service').replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'))
  writeFileSync(socket, block('/etc/systemd/system/svc.socket').replace('SocketUser=svc', 'SocketUser=root'))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', socket], { encoding: 'utf8' })
  assert.is(status, 0, `${stdout}${stderr}`)
  assert.not.match(stderr, /svc\.socket:\d+/)
})

test.run()
