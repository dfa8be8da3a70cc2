/** One store with several writers: another process, a family that throws, a revocation in between. */

import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { countContents } from '../../../plugins/sync/engine/store/contents.ts'
import { createServer, createSigner, signed } from './platforms.ts'

const alice = createSigner()

async function server(): Promise<ReturnType<typeof createServer>> {
  const made = createServer()
  await made.enrol(alice, ['kbd-control:demo'])
  return made
}

test('reads of one turn see one state, and the next turn sees the changes of another process', async () => {
  const one = await server()
  const other = new DatabaseSync(one.path)
  const status = (): Promise<string | undefined> =>
    one.store.read((ledger) => ledger.device(alice.keyId)?.status ?? 'none')
  const [before] = await Promise.all([status(), one.store.read((ledger) => ledger.hasProject('demo'))])
  // In the same turn, without a timer or poll in between.
  other.exec('DELETE FROM devices')
  const within = await status()
  await nextTurn()
  assert.equal([before, within, await status()], ['active', 'active', 'none'])
  other.close()
  await one.close()
})

test('a transaction does not see a deleted device, even if it was read just before', async () => {
  const one = await server()
  const other = new DatabaseSync(one.path)
  assert.is(await one.store.read((ledger) => ledger.device(alice.keyId)?.status), 'active')
  const seen = one.store.write((ledger) => ledger.device(alice.keyId)?.status ?? 'none')
  other.exec('DELETE FROM devices')
  assert.is(await seen, 'none')
  other.close()
  await one.close()
})

test('rows of a job that was rolled back are not visible to the next job', async () => {
  const one = await server()
  const bob = createSigner()
  const taken = one.store.write((ledger) => {
    assert.is(ledger.device(bob.keyId), undefined)
    ledger.setHeads('demo', ['aa'])
    ledger.revoke(alice.keyId, 1, null)
    assert.is(ledger.device(alice.keyId)!.status, 'revoked')
    assert.equal(ledger.heads('demo'), ['aa'])
    throw new Error('taken back')
  })
  const next = one.store.write((ledger) => [ledger.device(alice.keyId)!.status, ledger.heads('demo')])
  assert.match(await taken.catch(String), 'taken back')
  assert.equal(await next, ['active', []])
  const written = one.store.write((ledger) => {
    ledger.setHeads('demo', ['bb'])
    return ledger.heads('demo')
  })
  assert.equal(await written, ['bb'])
  assert.ok(await one.store.read((ledger) => ledger.hasProject('demo')))
  await one.close()
})

test('the event loop runs between groups of work', async () => {
  const one = await server()
  const done: number[] = []
  let turns = 0
  const turnsAt: number[] = []
  const count = (): void => {
    turns++
    if (done.length < 2_000) setImmediate(count)
  }
  setImmediate(count)
  const work = Array.from({ length: 2_000 }, (_, i) =>
    one.store
      .write(() => i)
      .then(() => {
        done.push(i)
        turnsAt.push(turns)
      }),
  )
  await Promise.all(work)
  assert.equal(
    done,
    Array.from(done, (_, i) => i),
    'in the order of arrival',
  )
  assert.ok(new Set(turnsAt).size >= 7, `${new Set(turnsAt).size} turns for 8 groups`)
  await one.close()
})

test('an error in one unit of work fails only that unit, whatever it throws or wrote', async () => {
  const one = await server()
  const faults: readonly [string, () => Promise<unknown>][] = [
    ['a fault', () => one.store.write(() => undefined!['x' as never])],
    [
      'no error at all',
      () =>
        one.store.write(() => {
          throw 'a text'
        }),
    ],
    [
      'a constraint',
      () =>
        one.store.write((ledger) => {
          ledger.setHeads('demo', ['f'.repeat(64)])
          ledger.insertEvents(1, ledger.events({ no: 1, lastSequence: 1 }, 0, 1))
        }),
    ],
  ]
  for (const [name, fault] of faults) {
    const [first, failed, last] = await Promise.allSettled([
      one.submit(signed(alice)),
      fault(),
      one.submit(signed(alice)),
    ])
    assert.is(failed.status, 'rejected', name)
    assert.equal(
      [first, last].map((result) => (result.status === 'fulfilled' ? result.value.status : result.reason)),
      [201, 201],
      name,
    )
  }
  const heads = await one.store.write((ledger) => ledger.heads('demo'))
  assert.not(heads!.includes('f'.repeat(64)), 'its changes are undone')
  await one.close()
})

test('a family that throws in frontier, prepare or apply gives 503 for its push only', async () => {
  for (const place of ['frontier', 'prepare', 'apply'] as const) {
    const one = createServer({
      families: [
        {
          name: 'bad',
          takesFrontier: true,
          exists: () => true,
          prepare: (envelope) => (place === 'prepare' ? undefined!['x' as never] : envelope),
          application: {
            kind: 'stored',
            frontier: () => (place === 'frontier' ? undefined!['x' as never] : { heads: [] }),
            apply: (state, project) => {
              state.setHeads('demo', ['f'.repeat(64)])
              if (place === 'apply') throw new Error(project)
              return undefined
            },
          },
        },
      ],
    })
    await one.enrol(alice, ['kbd-control:demo', 'bad:it'])
    const outcomes = await Promise.all([
      one.submit(signed(alice)),
      one.submit(signed(alice, { domain: 'bad:it', expectedFrontier: { heads: [] } })),
      one.submit(signed(alice)),
    ])
    assert.equal(
      outcomes.map(({ status, code }) => code ?? status),
      [201, 'envelope_preparation_failed', 201],
      place,
    )
    assert.not((await one.store.write((ledger) => ledger.heads('demo')))!.includes('f'.repeat(64)))
    await one.close()
  }
})

test('a revocation by another process is seen inside the transaction', async () => {
  const one = await server()
  const other = createServer({ path: one.path })
  // Between the checks of a push and its commit, another process revokes its signer.
  const { write } = one.store
  let once = true
  Object.assign(one.store, {
    async write(work: never) {
      if (once) {
        once = false
        await other.revoke(alice.keyId)
      }
      return write(work)
    },
  })
  assert.is((await one.submit(signed(alice))).code, 'signer_revoked')
  assert.is(await one.store.read((ledger) => countContents(ledger.driver, [])['receipts']), 0)
  await other.close()
  await one.close()
})

test.run()
