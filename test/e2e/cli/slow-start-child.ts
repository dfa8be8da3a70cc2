/**
 * A program whose service starts slowly, and prints when it begins. If the variable `FAILS` is set, the start fails.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { main } from '../../../plugins/cli/main.ts'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { make, registryOf, testManifest } from '../../support/kernels.ts'

const slow = make('slow', {
  setup: (ctx) =>
    ctx.onStart(async () => {
      console.log('starting')
      await sleep(500)
      if (process.env['FAILS'] !== undefined) throw new Error('no disk')
    }),
})
const plugins = [nodeHttp, slow, make('next', { setup: (ctx) => ctx.onReady(() => console.log('ready')) })]
await main({ ...registryOf(plugins), manifest: testManifest }, [])
