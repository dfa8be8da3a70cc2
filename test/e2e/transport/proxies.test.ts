/**
 * Runs the built service behind each proxy, with the recipes of docs/examples/deploy as they are. A stream that is
 * silent for longer than the default time limits of all proxies stays open; the proxies wait for it at the same time.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { apache, caddy, haproxy, nginx, traefik } from './proxies.ts'
import {
  cannotStart,
  checkEvents,
  checkMetrics,
  checkSilence,
  type ProxySetup,
  type Rig,
  SILENCE_MS,
  startBehind,
} from './proxy-rig.ts'

const proxies: Readonly<Record<string, ProxySetup>> = { nginx, caddy, haproxy, apache2: apache, traefik }

/** Two tests use one start: a rig that is silent in the background while the other proxies are tested. */
const silent = new Map<string, { readonly rig: Rig; readonly done: Promise<Error | undefined> }>()

for (const [name, proxy] of Object.entries(proxies)) {
  const cannot = cannotStart ?? (hasProgram(name) ? undefined : `${name} is not installed`)
  testUnless(
    test,
    cannot,
    `${name} forwards requests, chunked bodies and, without delay, each event, but no metrics`,
    async () => {
      const rig = await startBehind(proxy, { SVC_REALTIME__HEARTBEAT_MS: String(SILENCE_MS) })
      const done = checkSilence(rig).then(
        () => undefined,
        (error: Error) => error,
      )
      silent.set(name, { rig, done })
      await checkEvents(rig)
      await checkMetrics(rig)
    },
  )
}

for (const name of Object.keys(proxies)) {
  const cannot = cannotStart ?? (hasProgram(name) ? undefined : `${name} is not installed`)
  testUnless(test, cannot, `${name} keeps a stream that is silent for longer than 60 s`, async () => {
    const started = silent.get(name)
    assert.ok(started, 'the proxy has not started')
    const failed = await started.done
    assert.is(failed, undefined, failed?.message)
  })
}

test.after(async () => {
  for (const { rig } of silent.values()) await rig.stop()
})

test.run()
