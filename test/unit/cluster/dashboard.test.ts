/** The dashboard of `make cluster`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scrapeConfig } from '../../../scripts/cluster/dashboard.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../telemetry/programs.ts'

const test = suite('dashboard of make cluster')

const noPromtool = hasProgram('promtool') ? undefined : 'promtool is not installed'

testUnless(test, noPromtool, 'promtool accepts the configuration of its Prometheus', () => {
  const folder = folderWith({ 'prometheus.yml': scrapeConfig(['127.0.0.1:1', '127.0.0.1:2']) })
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', join(folder, 'prometheus.yml')], {
    encoding: 'utf8',
  })
  assert.is(status, 0, stdout + stderr)
})

test.run()
