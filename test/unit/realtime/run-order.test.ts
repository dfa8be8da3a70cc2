import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { RunOrder } from '../../../plugins/realtime/runs/order/run-order.ts'
import { sequenceCases } from '../../support/vectors/agui.ts'
import { readAsClient } from './agui-judge.ts'

function accepts(events: readonly AgUiEvent[]): boolean {
  try {
    new RunOrder().append(events)
    return true
  } catch {
    return false
  }
}

const refusals =
  'the order rules refuse the same sequences as the standard client, and accept the others up to their first end'
test(refusals, () => {
  for (const { name, accepted_by_client, events } of sequenceCases()) {
    const end = events.findIndex(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR')
    const severalRuns = accepted_by_client && end >= 0 && end < events.length - 1
    assert.is(accepts(severalRuns ? events.slice(0, end + 1) : events), accepted_by_client, name)
    // A run of the service is a single run of the client, so nothing may follow its end.
    if (severalRuns) assert.is(accepts(events), false, name)
  }
})

test('the standard client gives the expected verdicts', async () => {
  for (const { name, accepted_by_client, events } of sequenceCases()) {
    const verdict = await readAsClient(events).then(
      () => true,
      () => false,
    )
    assert.is(verdict, accepted_by_client, name)
  }
})

test.run()
