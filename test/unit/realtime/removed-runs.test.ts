/** The count of removed runs: by owner, by tenant, and with a limit. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { removedInWords } from '../../../plugins/console/page/views/runs/run-record.ts'
import { createRemovedRuns } from '../../../plugins/realtime/runs/removed-runs.ts'

const test = suite('realtime: removed runs')
const ownerOf = (user_id: string, tenant_id = 'acme') => ({ owner: { user_id, tenant_id } })

test('removed runs are counted for an owner and for all of a tenant, since the start', () => {
  const removed = createRemovedRuns(() => 7)
  for (const record of [ownerOf('ann'), ownerOf('ann'), ownerOf('bob'), ownerOf('ann', 'other')]) removed.add(record)
  assert.equal(removed.of(ownerOf('ann').owner), { count: 2, since_ms: 7 })
  assert.equal(removed.of({ tenant_id: 'acme' }), { count: 3, since_ms: 7 })
  assert.equal(removed.of(ownerOf('zoe').owner), { count: 0, since_ms: 7 })
})

test('beyond ten thousand owners the count begins anew, and says so', () => {
  let now = 1
  const removed = createRemovedRuns(() => now)
  for (let user = 0; user < 10_000; user++) removed.add(ownerOf(`u${user}`))
  assert.equal(removed.of({ tenant_id: 'acme' }), { count: 10_000, since_ms: 1 })
  now = 2
  removed.add(ownerOf('u3'))
  assert.is(removed.of(ownerOf('u3').owner).count, 2)
  removed.add(ownerOf('one more'))
  assert.equal(removed.of({ tenant_id: 'acme' }), { count: 1, since_ms: 2 })
})

test('the console says what the service knows, and no more', () => {
  const HOUR = 3_600_000
  assert.match(removedInWords({}, HOUR), /does not say/)
  assert.match(
    removedInWords({ removed: { count: 0, since_ms: 0 } }, HOUR),
    /^In the last 1 h the service has seen no run removed; .*before/,
  )
  assert.match(
    removedInWords({ removed: { count: 41, since_ms: 0 } }, HOUR),
    /^In the last 1 h the service has seen 41 runs removed;/,
  )
})

test.run()
