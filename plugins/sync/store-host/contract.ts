/** The contract of the engine on a database of the host: receipts in its tables, and errors that a host can act on. */
import { type Contract, defineContract, same } from '../../../core/testing/contract.ts'
import { asksFor, createDatabaseHost, createSigner, refusal } from '../contract-parts.ts'
import { ALL_NAMES, NAMES_OF_APP } from './statements.ts'

/** The contract of feature `sync.store-host`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'what was acknowledged is found by the next engine on the database',
      use: async (library) => {
        const signer = await createSigner()
        const { start, state } = createDatabaseHost(library, signer)
        const first = await start()
        const { requestId, body } = await signer.push()
        const { receipt } = await first.sync.submit(body)
        await first.close()
        const next = await start()
        same('the receipt', await next.sync.receipt(requestId), receipt)
        same('the push again', (await next.sync.submit(body)).status, 200)
        same('applied', state.applied.length, 1)
        await next.close()
      },
    },
    {
      name: 'its tables begin with svc_, beside those of the app, whose head of the file is left alone',
      use: async (library) => {
        const signer = await createSigner()
        const { start, database } = createDatabaseHost(library, signer)
        database.exec('CREATE TABLE receipts (price INTEGER); CREATE TABLE meta (a); PRAGMA user_version = 41')
        const { sync, close } = await start()
        same('status', (await sync.submit((await signer.push()).body)).status, 201)
        await close()
        const names = database.all(NAMES_OF_APP, [])
        same(
          'names of the app',
          names.map((row) => (row as { name: string }).name),
          ['receipts', 'meta'],
        )
        const [head] = database.all('PRAGMA user_version', []) as { user_version: number }[]
        same('user_version', head?.user_version, 41)
      },
    },
    {
      name: 'a push whose commit fails is 503, leaves nothing, and can be sent again',
      use: async (library) => {
        const signer = await createSigner()
        let full = true
        const { start, state } = createDatabaseHost(library, signer, {}, ({ run }) => ({
          run(sql, params) {
            if (full && sql === 'COMMIT') throw new Error('database or disk is full')
            return run(sql, params)
          },
        }))
        const { sync, close } = await start()
        const { body, requestId } = await signer.push({ expectedFrontier: { heads: [] } })
        await refusal('full', sync.submit(body), 'receipt_store_unavailable', 503)
        await refusal('nothing is left', sync.receipt(requestId), 'push_not_found', 404)
        full = false
        same('again', (await sync.submit(body)).status, 201)
        same('applied', state.applied.length, 1)
        await close()
      },
    },
    {
      name: 'a host that lacks something is refused at once, with everything that it lacks',
      call: 'createEmbedded',
      with: [{ host: { identity: () => null }, database: { exec: () => undefined } }],
      throws: { code: 'ERR_HOST_INCOMPLETE', message: /devices\.get\(\).*database\.run\(\), database\.all\(\)/ },
    },
    {
      name: 'a database that answers later is refused',
      use: async (library) => {
        const over = (): object => ({ all: async () => [] })
        const { start } = createDatabaseHost(library, await createSigner(), {}, over)
        await refusal('the start', start(), 'ERR_HOST_VALUE')
      },
    },
    {
      name: 'tables of that prefix that are no store are refused, and nothing is written',
      use: async (library) => {
        const { start, database } = createDatabaseHost(library, await createSigner())
        database.exec('CREATE TABLE svc_notes (text TEXT)')
        await refusal('the start', start(), 'store_foreign')
        same('tables', database.all(ALL_NAMES, []).length, 1)
      },
    },
  ],
  absent: [
    {
      name: 'there is no engine on a database of the host',
      use: async (library) => same('asks for a database', await asksFor(library, 'database.exec()'), false),
    },
  ],
})
