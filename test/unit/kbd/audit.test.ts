import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { AUDIT_START, createAuditChain } from '../../../plugins/kbd/engine/audit/audit-chain.ts'
import { createCoalesce } from '../../../plugins/kbd/engine/refusals/refusals.ts'
import type { AuditFact } from '../../../plugins/sync/engine/audit/audit-types.ts'
import { codecs, drivers, type OpenDriver, openNode, START_MS } from './boards.ts'

const fact = (n: number): AuditFact => ({
  atMs: START_MS + n,
  kind: n % 2 === 0 ? 'command' : 'refusal',
  project: n % 3 === 0 ? null : 'demo',
  subject: `subject ${n}`,
  actor: 'owner',
  outcome: 'ok',
})
const chainOf = (driver: OpenDriver) => createAuditChain({ driver, ...codecs })

for (const [name, open] of Object.entries(drivers)) {
  test(`${name}: entries are numbered, listed, and verified in turns`, () => {
    const { audit, driver } = openNode(open)
    assert.equal(
      [audit.head(), audit.verify()],
      [AUDIT_START, { ok: true, count: 0, head: AUDIT_START, firstBad: null }],
    )
    const entries = Array.from({ length: 600 }, (_, n) => audit.append(fact(n)))
    assert.equal(
      entries.map(({ seq }) => seq),
      Array.from({ length: 600 }, (_, n) => n + 1),
    )
    const bare = { seq: 1, ...fact(0) }
    assert.is(
      entries[0]!.hash,
      codecs.sha256(new TextEncoder().encode(`${'0'.repeat(64)}\n${codecs.canonicalText(bare)}`)),
    )
    const odd = { ...fact(600), subject: '\u0000"\\\u2028\u00e4\ud83d\ude00', outcome: '' }
    assert.is(
      audit.append(odd).hash,
      codecs.sha256(new TextEncoder().encode(`${entries[599]!.hash}\n${codecs.canonicalText({ seq: 601, ...odd })}`)),
    )
    driver.prepare('DELETE FROM audit WHERE seq = 601').run()
    assert.equal(audit.list(598, 10), entries.slice(598))
    assert.equal(
      audit.list(0, 2, { project: 'demo', kind: 'refusal' }).map(({ seq }) => seq),
      [2, 6],
    )
    const first = audit.verify(AUDIT_START, 500)
    assert.is(first.count, 500)
    const rest = audit.verify(first.head, 500, audit.head())
    assert.equal([rest.ok, rest.count, rest.head], [true, 100, audit.head()])
    assert.equal(chainOf(driver).head(), audit.head(), 'the chain continues after a restart')
    const signed: string[] = []
    const sign = (message: Uint8Array): Uint8Array => {
      signed.push(new TextDecoder().decode(message))
      return Uint8Array.of(1, 2, 3)
    }
    audit.signHead({ endpointId: 'e', sign }, 5)
    const { seq, hash } = audit.head()
    assert.equal(signed, [
      `{"atMs":5,"context":"svc-audit-checkpoint-1","endpointId":"e","hash":"${hash}","seq":${seq}}`,
    ])
    assert.equal(audit.checkpoint(), { seq, hash, atMs: 5, endpointId: 'e', signature: 'AQID' })
  })

  test(`${name}: any changed, removed or moved row is found and named`, () => {
    const COUNT = 12
    const columns = ['at_ms', 'kind', 'project', 'subject', 'actor', 'outcome', 'hash']
    const row = fc.integer({ min: 1, max: COUNT })
    fc.assert(
      fc.property(
        fc.constantFrom('change', 'remove', 'swap', 'rehash'),
        row,
        row,
        fc.constantFrom(...columns),
        (how, one, two, column) => {
          const { audit, driver } = openNode(open)
          for (let n = 0; n < COUNT; n++) audit.append(fact(n))
          const head = audit.head()
          let expected: number | null = one
          if (how === 'change')
            driver.exec(`UPDATE audit SET ${column} = ${column === 'at_ms' ? 1 : "'other'"} WHERE seq = ${one}`)
          if (how === 'remove') driver.exec(`DELETE FROM audit WHERE seq = ${one}`)
          if (how === 'swap') {
            driver.exec(
              `UPDATE audit SET seq = -1 WHERE seq = ${one}; UPDATE audit SET seq = ${one} WHERE seq = ${two}; UPDATE audit SET seq = ${two} WHERE seq = -1`,
            )
            expected = one === two ? null : Math.min(one, two)
          }
          if (how === 'rehash') {
            // A chain that is rebuilt from one entry on verifies, but its head differs from the known head.
            const entries = audit.list(one - 1, COUNT)
            driver.exec(`DELETE FROM audit WHERE seq >= ${one}`)
            for (const entry of entries) audit.append({ ...entry, actor: 'nobody' })
            assert.ok(audit.verify().ok)
            expected = COUNT
          }
          assert.is(audit.verify(AUDIT_START, 1_000, head).firstBad, expected)
          driver.close()
        },
      ),
      { numRuns: 60, seed: 3 },
    )
  })
}

test('equal refusals within a minute are recorded once, and the number of remembered refusals is bounded', () => {
  let nowMs = 0
  const isNew = createCoalesce(() => nowMs)
  const refusal = (actor: string) => ({ project: 'demo', actor, outcome: 'signer_revoked' })
  assert.equal(
    [isNew(refusal('a')), isNew(refusal('a')), isNew(refusal('b')), isNew({ ...refusal('a'), project: null })],
    [true, false, true, true],
  )
  nowMs = 59_999
  assert.is(isNew(refusal('a')), false)
  nowMs = 60_000
  assert.is(isNew(refusal('a')), true)
  for (let n = 0; n < 2_000; n++) isNew(refusal(`n${n}`))
  assert.is(isNew(refusal('a')), true, 'the refusal is forgotten and recorded again')
})

test.run()
