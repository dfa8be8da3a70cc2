/**
 * The contract of the engine: by function calls where it is embedded, and by the local sync API where a service has it.
 */
import { type Case, type Contract, defineContract, type Library, same } from '../../../core/testing/contract.ts'
import { createDatabaseHost, createHost, createSigner, type MakeHost, refusal } from '../contract-parts.ts'

/** A case of a push that is refused. `over` has the members that differ from a valid push. */
const refused = (
  createHost: MakeHost,
  name: string,
  over: Readonly<Record<string, unknown>>,
  status: number,
  code: string,
): Case => ({
  name: `${name}: ${status} ${code}, and nothing is applied or saved`,
  use: async (library: Library) => {
    const signer = await createSigner()
    const { start, state } = createHost(library, signer)
    const { sync, close } = await start()
    const { requestId, body } = await signer.push(over)
    await refusal(name, sync.submit(body), code, status)
    await refusal('the receipt', sync.receipt(requestId), 'push_not_found', 404)
    await close()
    same('applied and saved', [state.applied.length, state.saves], [0, 0])
  },
})

/** The cases of an embedded engine, which are the same for every store. */
const embedded = (store: string, createHost: MakeHost): readonly Case[] =>
  [
    {
      name: 'a signed push is 201 with its receipt and three events; the same again is 200 with the same receipt',
      use: async (library: Library) => {
        const signer = await createSigner()
        const { start, state } = createHost(library, signer)
        const { sync, close } = await start()
        const { requestId, body } = await signer.push()
        const first = await sync.submit(body)
        same(
          'first',
          [first.status, first.receipt.pushId, first.receipt.localState],
          [201, requestId, 'applied_locally'],
        )
        same(
          'events',
          first.receipt.events.map(({ sequence, kind }) => `${sequence} ${kind}`),
          ['1 accepted', '2 prepared', '3 applied_locally'],
        )
        const again = await sync.submit(body)
        same('again', again, { status: 200, receipt: first.receipt })
        same('applied', state.applied, [requestId])
        await close()
      },
    },
    {
      name: 'the same requestId with another payload is 409 and names the push',
      use: async (library: Library) => {
        const signer = await createSigner()
        const { start } = createHost(library, signer)
        const { sync, close } = await start()
        const { requestId, body } = await signer.push()
        await sync.submit(body)
        const other = await signer.push({ requestId, issuedAtMs: Date.now() - 1 })
        await refusal('other payload', sync.submit(other.body), 'request_id_conflict', 409)
        await close()
      },
    },
    {
      name: 'a push that expects another frontier is 409, and one that expects the present one is taken',
      use: async (library: Library) => {
        const signer = await createSigner()
        const { start, state } = createHost(library, signer)
        const { sync, close } = await start()
        const wrong = await signer.push({ expectedFrontier: { heads: ['a'.repeat(64)] } })
        await refusal('wrong frontier', sync.submit(wrong.body), 'frontier_mismatch', 409)
        const first = await signer.push({ expectedFrontier: { heads: [] } })
        same('first', (await sync.submit(first.body)).status, 201)
        const next = await signer.push({ expectedFrontier: { heads: state.heads } })
        same('next', (await sync.submit(next.body)).status, 201)
        await close()
      },
    },
    {
      name: 'a changed body is 401, a push by a stranger 403',
      use: async (library: Library) => {
        const [signer, stranger] = [await createSigner(), await createSigner()]
        const { start } = createHost(library, signer)
        const { sync, close } = await start()
        const { body } = await signer.push()
        const changed = new TextEncoder().encode(new TextDecoder().decode(body).replace('kbd-control', 'kbd-content'))
        await refusal('changed', sync.submit(changed), 'signature_invalid', 401)
        await refusal('stranger', sync.submit((await stranger.push()).body), 'signer_unknown', 403)
        await close()
      },
    },
    refused(createHost, 'a prohibited domain', { domain: 'system:demo' }, 403, 'domain_prohibited'),
    refused(createHost, 'a project that is not there', { domain: 'kbd-control:nowhere' }, 404, 'scope_not_found'),
    refused(createHost, 'a push that is too old', { issuedAtMs: 0 }, 422, 'request_stale'),
    refused(createHost, 'a target that is no endpoint id', { targetEndpointIds: ['x'] }, 422, 'target_invalid'),
    refused(createHost, 'a member that is not known', { extra: 1 }, 400, 'malformed_request'),
  ].map((one) => ({ ...one, name: `${one.name} (${store})`, needs: [store] }))

/** The contract of feature `sync.engine`. */
export const contract: Contract = defineContract({
  present: [
    ...embedded('sync.store-sqljs', createHost),
    ...embedded('sync.store-host', createDatabaseHost),
    {
      name: 'a push that is signed well by a key that nobody enrolled is 403 signer_unknown',
      needs: ['sync.api'],
      surface: 'local',
      steps: async (target) => {
        const { body } = await (await createSigner()).push()
        const answer = await target.request({
          method: 'POST',
          path: '/api/v2/sync/pushes',
          headers: { 'content-type': 'application/json' },
          body: new TextDecoder().decode(body),
        })
        const { error } = answer.json() as { error: { code: string } }
        same('answer', [answer.status, error.code], [403, 'signer_unknown'])
      },
    },
  ],
  absent: {
    none: 'an engine is seen through sync.api, sync.store-sqljs and sync.store-host alone, and their absent sides say what is not there',
  },
})
