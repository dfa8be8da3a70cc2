/** Pushes of users: what the store keeps of them, and what one user may use within a minute. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { DomainFamily } from '../../../plugins/sync/api.ts'
import type { PushCaller } from '../../../plugins/sync/engine/admission/admitted.ts'
import { createBudget } from '../../../plugins/sync/remote/budget.ts'
import { insertOwner, readOwner } from '../../../plugins/sync/remote/statements.ts'
import { execOn } from '../../support/sqlite.ts'
import { failure, rejection } from '../../support/throws.ts'
import { createServer, createSigner, signed } from './platforms.ts'

const callerOf = (user: string): PushCaller => ({
  user,
  inserted: (ledger, pushId) => insertOwner(ledger, pushId, { tenant: 'default', user }),
})

/** A family whose pushes a host applies. */
const hosted: DomainFamily = {
  name: 'notes',
  takesFrontier: false,
  exists: () => true,
  prepare: (envelope) => envelope,
  application: { kind: 'hosted', frontier: () => null, apply: () => {} },
}

for (const domain of ['kbd-control:demo', 'notes:demo'])
  test(`the user of a push to ${domain} is kept with its receipt, stays the same at a replay, and goes with the receipt`, async () => {
    const server = createServer({ families: [hosted] })
    const signer = createSigner()
    await server.enrol(signer, ['kbd-control:demo', 'notes:demo'])
    const body = signed(signer, { domain })
    const made = await server.engine.submit(body, undefined, callerOf('ada'))
    const { pushId } = made.receipt
    const owner = () => server.store.read((ledger) => readOwner(ledger, pushId))
    assert.is(made.status, 201)
    assert.equal(await owner(), { tenant: 'default', user: 'ada' })
    assert.is((await server.engine.submit(body, undefined, callerOf('bob'))).status, 200)
    assert.equal(await owner(), { tenant: 'default', user: 'ada' })
    await server.store.write((ledger) => ledger.dropPush(ledger.push(pushId)!.no))
    assert.is(await owner(), undefined)
    await server.close()
  })

test('a push without a user has none, and a replay by a user gives it none', async () => {
  const server = createServer()
  const signer = createSigner()
  await server.enrol(signer, ['kbd-control:demo'])
  const body = signed(signer)
  const { receipt } = await server.engine.submit(body)
  assert.is((await server.engine.submit(body, undefined, callerOf('ada'))).status, 200)
  assert.is(await server.store.read((ledger) => readOwner(ledger, receipt.pushId)), undefined)
  await server.close()
})

test('a row that names another user than was written is refused', async () => {
  const server = createServer()
  const signer = createSigner()
  await server.enrol(signer, ['kbd-control:demo'])
  const { receipt } = await server.engine.submit(signed(signer), undefined, callerOf('ada'))
  await server.close()
  execOn(server.path, `UPDATE push_owners SET owner = '["default","eve"]'`)
  const again = createServer({ path: server.path })
  const read = again.store.read((ledger) => readOwner(ledger, receipt.pushId))
  await rejection('receipt_store_unavailable', read)
  await again.close()
})

test('a budget is of each caller and of each minute, and a larger amount passes only for a caller who has used nothing', () => {
  let nowMs = 0
  const budget = createBudget({ limit: 10, what: 'bytes', monotonic: () => nowMs })
  const waitOf = (caller: string, amount: number): string | undefined =>
    failure('rate_limited', () => budget.spend(caller, amount)).headers?.['retry-after']
  budget.spend('eve', 10)
  nowMs = 20_000
  assert.is(waitOf('eve', 1), '40')
  budget.spend('ada', 11)
  assert.is(waitOf('ada', 1), '60')
  nowMs = 60_000
  budget.spend('eve', 10)
  assert.is(waitOf('ada', 1), '20')
})

test.run()
