/** The typed calls of `svc/client` of the package, with the shipped server. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import type { createClient as CreateClient } from '../../../plugins/client/index.ts'
import { distDir } from '../../../scripts/build/paths.ts'
import { testUnless } from '../../support/skip.ts'
import { startBuilt } from '../telemetry/built-service.ts'
import { checkCalls } from './calls.ts'

const file = join(distDir('npm'), 'client.js')
const program = join(distDir('server-full'), 'svc.mjs')
const missing = [file, program].find((path) => !existsSync(path))

testUnless(
  test,
  missing && `${missing} has not been made`,
  'the typed calls of keys, runs and live events return data, and every kind of refusal',
  async () => {
    const { createClient } = (await import(pathToFileURL(file).href)) as { createClient: typeof CreateClient }
    const service = await startBuilt({ SVC_REALTIME__TOPICS: 'todos' }, program)
    try {
      await checkCalls({ createClient, baseUrl: service.base, revocation: async () => undefined })
    } finally {
      await service.stop()
    }
  },
)

test.run()
