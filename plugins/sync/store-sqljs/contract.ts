/** The contract of the engine as a library: receipts in the bytes of the host, and errors that a host can act on. */
import { type Contract, defineContract, same } from '../../../core/testing/contract.ts'
import { asksFor, createHost, createSigner, refusal } from '../contract-parts.ts'

/** The contract of feature `sync.store-sqljs`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'what was acknowledged is found by the next engine on the saved bytes',
      use: async (library) => {
        const signer = await createSigner()
        const { start, state } = createHost(library, signer)
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
      name: 'a push whose save fails is 503 and can be sent again',
      use: async (library) => {
        const signer = await createSigner()
        let full = true
        const { start, state } = createHost(library, signer, {
          persistence: {
            load: () => null,
            save: () => {
              if (full) throw new Error('disk full')
            },
          },
        })
        const { sync, close } = await start()
        const { body } = await signer.push({ expectedFrontier: { heads: [] } })
        await refusal('full', sync.submit(body), 'receipt_store_unavailable', 503)
        full = false
        same('again', (await sync.submit(body)).status, 201)
        same('applied', state.applied.length, 1)
        await close()
      },
    },
    {
      name: 'a callback that never settles is given up, without a timer at the next call',
      use: async (library) => {
        const signer = await createSigner()
        let nowMs = Date.now()
        const { start } = createHost(library, signer, {
          now: () => nowMs,
          timeoutMs: 60_000,
          apply: () => new Promise(() => {}),
        })
        const { sync, close } = await start()
        const { requestId, body } = await signer.push()
        const stuck = refusal('the push', sync.submit(body), 'envelope_preparation_failed', 503)
        const state = async (): Promise<string | undefined> =>
          sync.receipt(requestId).then(
            ({ localState }) => localState,
            () => undefined,
          )
        for (let turn = 0; turn < 1_000 && (await state()) === undefined; turn++);
        nowMs += 60_000
        same('state', await state(), 'prepared')
        await stuck
        await close()
      },
    },
    {
      name: 'what a host lacks is told at once',
      call: 'createEmbedded',
      with: [{ host: { identity: () => null } }],
      throws: {
        code: 'ERR_HOST_INCOMPLETE',
        message: /persistence\.load\(\).*persistence\.save\(\).*devices\.get\(\).*sqlWasm/,
      },
    },
    {
      name: 'bytes that are no store are refused, and nothing is saved over them',
      use: async (library) => {
        const { start, state } = createHost(library, await createSigner())
        state.saved = new Uint8Array(5_000).fill(1)
        await refusal('the start', start(), 'store_damaged')
        same('saves', state.saves, 0)
      },
    },
    {
      name: 'the events of a push come in order and end with it',
      use: async (library) => {
        const signer = await createSigner()
        const { sync, close } = await createHost(library, signer).start()
        const { requestId, body } = await signer.push()
        await sync.submit(body)
        const sequences: number[] = []
        for await (const { sequence } of sync.events(requestId, 1)) sequences.push(sequence)
        same('sequences', sequences, [2, 3])
        await close()
      },
    },
  ],
  absent: [
    {
      name: 'there is no engine on bytes',
      use: async (library) => same('asks for bytes', await asksFor(library, 'persistence.load()'), false),
    },
  ],
})
