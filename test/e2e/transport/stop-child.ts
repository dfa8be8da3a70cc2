/** A service that stops on SIGTERM, in a separate process: `stop-child.ts <transport>`. */
import { json } from '../../../core/http/reply.ts'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { feature as uws } from '../../../plugins/transport/uws/feature.ts'
import { startRig } from './rig.ts'

const { port, kernel } = await startRig(
  [nodeHttp, uws],
  [
    {
      path: '/echo',
      method: 'POST',
      body: { type: 'text/plain' },
      handler: async (request) => json(200, (await request.body()).byteLength),
    },
  ],
  { transport: process.argv[2], shutdown_grace_ms: 60_000 },
)
process.once('SIGTERM', () => void kernel.stop().then(() => console.log('stopped')))
console.log(`port ${port}`)
