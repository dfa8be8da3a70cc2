import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkKbd } from '../../../plugins/kbd/engine/check.ts'
import { defaultLimits } from '../../../plugins/kbd/engine/parts.ts'
import { codecs, drivers, openNode, proven, uuidOf, START_MS } from './boards.ts'

for (const [name, open] of Object.entries(drivers)) {
  test(`smoke ${name}`, () => {
    const node = openNode(open)
    const { ledger } = node
    const a = ledger.enter(proven({ type: 'board.create', boardId: uuidOf(1), title: 'B' }, {}), START_MS)
    const b = ledger.enter(proven({ type: 'column.create', boardId: uuidOf(1), columnId: uuidOf(2), title: 'C', rank: 'a' }, { parents: [a.id] }), START_MS)
    const c = ledger.enter(proven({ type: 'card.create', boardId: uuidOf(1), columnId: uuidOf(2), cardId: uuidOf(3), title: 'card', rank: 'a' }, { parents: [b.id] }), START_MS)
    const d1 = ledger.enter(proven({ type: 'card.update', cardId: uuidOf(3), title: 'x' }, { parents: [c.id] }), START_MS)
    const d2 = ledger.enter(proven({ type: 'card.update', cardId: uuidOf(3), title: 'y' }, { parents: [c.id], device: 2 }), START_MS)
    const e = ledger.enter(proven({ type: 'claim.acquire', cardId: uuidOf(3), claimId: uuidOf(9), agent: null, leaseMs: 10000 }, { parents: [d1.id, d2.id], device: 2 }), START_MS)
    console.log(ledger.snapshotText('demo'), e.changes)
    console.log(ledger.have('demo'), ledger.missing('demo', [d1.id], 10000).commands.length)
    const scratch = open()
    assert.is(checkKbd({ driver: node.driver, codecs, limits: defaultLimits, audit: node.audit }, scratch), undefined)
    assert.equal(node.audit.verify().ok, true)
  })
}
test.run()
