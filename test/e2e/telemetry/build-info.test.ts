/** What the metrics of the shipped program say after a start. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { testUnless } from '../../support/skip.ts'
import { shippedProgram, startBuilt, unbuilt } from './built-service.ts'

testUnless(
  test,
  unbuilt,
  'svc_build_info has the same version, profile and commit as build-info and the manifest',
  async () => {
    const manifests = JSON.parse(readFileSync(join(dirname(shippedProgram), 'manifest.json'), 'utf8')) as Record<
      string,
      { version: string; commit: string }
    >
    const { version, commit } = manifests['svc.mjs']!
    assert.match(commit, /^(?:[0-9a-f]{40}(?:-dirty)?|unknown)$/)
    assert.is(manifests['index.mjs']!.commit, commit)
    const service = await startBuilt()
    try {
      const metrics = await (await fetch(`${service.base}/metrics`)).text()
      assert.match(metrics, `\nsvc_build_info{version="${version}",profile="server-full",commit="${commit}"} 1\n`)
      // A service without a cluster does not say that its runs take no appends.
      assert.match(metrics, '\n# TYPE svc_kbd_heads gauge\n')
      assert.not.match(metrics, 'svc_cluster_')
      const { commit: told } = JSON.parse(await service.command('build-info', '--json')) as { commit: string }
      assert.is(told, commit)
    } finally {
      await service.stop()
    }
  },
)

test.run()
