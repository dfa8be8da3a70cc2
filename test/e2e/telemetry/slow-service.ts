/** A service with slow routes, which a test runs as a process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin } from '../../../core/declare/plugin.ts'
import { anonymous } from '../../../core/http/identity.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { main } from '../../../plugins/cli/main.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { feature as logs } from '../../../plugins/telemetry/logs/feature.ts'
import { variant as pino } from '../../../plugins/telemetry/logs/pino.ts'
import { feature as metrics } from '../../../plugins/telemetry/metrics/feature.ts'
import { feature as traces } from '../../../plugins/telemetry/traces/feature.ts'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { feature as uws } from '../../../plugins/transport/uws/feature.ts'
import { registryOf, testManifest } from '../../support/kernels.ts'

const work: RouteSpec = {
  surface: 'runtime',
  method: 'GET',
  path: '/job/:ms',
  summary: 'Answers after the given number of milliseconds.',
}
const hang: RouteSpec = { surface: 'runtime', method: 'GET', path: '/hang', summary: 'Never answers.' }

const app = definePlugin({
  name: 'app',
  feature: 'app',
  routes: [work, hang],
  setup(ctx) {
    ctx.guard('runtime', () => anonymous)
    ctx.route(work, async ({ params }) => {
      await sleep(Number(params['ms']))
      return { status: 200, body: 'x'.repeat(2_000) }
    })
    ctx.route(hang, () => {
      ctx.log.info('Hanging.')
      return new Promise(() => undefined)
    })
  },
})

await main(
  { ...registryOf([probes, logs.with(pino), metrics, traces, nodeHttp, uws, app]), manifest: testManifest },
  [],
)
