/** The service with some of the telemetry features, in a separate process: `server.ts <setup as JSON>`. */

import { json } from '../../../core/http/reply.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { anonymous } from '../../../core/identity.ts'
import { createKernel } from '../../../core/kernel.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { benchManifest, openPaths } from '../manifest.ts'

type Module = () => Promise<{ readonly feature: Plugin }>

/** The available telemetry features. */
const telemetry: Readonly<Record<'metrics' | 'logs' | 'traces', Module>> = {
  metrics: () => import('../../../plugins/telemetry/metrics/feature.ts'),
  logs: async () => {
    const { feature } = await import('../../../plugins/telemetry/logs/feature.ts')
    return { feature: feature.with((await import('../../../plugins/telemetry/logs/pino.ts')).variant) }
  },
  traces: () => import('../../../plugins/telemetry/traces/feature.ts'),
}

const nodeHttp: Module = () => import('../../../plugins/transport/node-http/feature.ts')

/** The configuration of a server. */
export interface ServerSetup {
  readonly port: number
  readonly transport: 'uws' | 'node'
  readonly features: readonly (keyof typeof telemetry)[]
  /** Settings, by environment variable. */
  readonly environment: Readonly<Record<string, string>>
}

const setup = JSON.parse(process.argv[2]!) as ServerSetup
const route: RouteSpec = { surface: 'runtime', method: 'GET', path: '/bench', summary: 'A small JSON.' }
const app = definePlugin({
  name: 'bench',
  feature: 'bench',
  routes: [route],
  setup(ctx) {
    ctx.guard('runtime', () => anonymous)
    ctx.route(route, () => json(200, { hello: 'world', numbers: [1, 2, 3] }))
  },
})

const transports: readonly Module[] =
  setup.transport === 'uws' ? [() => import('../../../plugins/transport/uws/feature.ts'), nodeHttp] : [nodeHttp]
const modules = [...setup.features.map((feature) => telemetry[feature]), ...transports]
const plugins = await Promise.all(modules.map(async (load) => (await load()).feature))
const kernel = createKernel(
  {
    manifest: benchManifest,
    plugins: [...plugins, app],
    storeParts: [],
    absent: { settings: {}, capabilities: {} },
    open: openPaths,
  },
  {
    settings: {
      config: {
        name: 'bench',
        value: { server: { port: setup.port, ...(setup.transport === 'uws' && { transport: 'uws' }) } },
      },
      environment: setup.environment,
    },
  },
)
await kernel.start()
process.on('message', () => process.send!(process.cpuUsage()))
process.on('disconnect', () => process.exit(0))
process.send!('ready')
