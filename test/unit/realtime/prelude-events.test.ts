import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { preludeEvents } from '../../../plugins/realtime/runs/agui-spec/prelude-events.ts'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { eventProblem } from '../../../plugins/realtime/runs/event-shape.ts'
import { RunOrder } from '../../../plugins/realtime/runs/order/run-order.ts'
import { RunDocument } from '../../../plugins/realtime/runs/run-document.ts'
import { countOf } from '../../support/count.ts'
import { readAsClient, withoutAddedOwners } from './agui-judge.ts'
import { wholeRun } from './run-events.ts'

function preludeAt(events: readonly AgUiEvent[], cut: number): readonly AgUiEvent[] {
  const order = new RunOrder()
  const document = new RunDocument()
  for (const expanded of order.append(events.slice(0, cut))) for (const event of expanded) document.apply(event)
  const { input: _input, ...started } = events[0] ?? { type: '' }
  return JSON.parse(JSON.stringify(preludeEvents({ order, document, started: cut === 0 ? null : started })))
}

test('the document equals the state of the standard client', async () => {
  await fc.assert(
    fc.asyncProperty(wholeRun, async (events) => {
      const document = new RunDocument()
      for (const expanded of new RunOrder().append(events)) for (const event of expanded) document.apply(event)
      const held = await readAsClient(events)
      assert.equal(JSON.parse(JSON.stringify({ messages: document.messages, state: document.state })), held)
    }),
    { numRuns: countOf({ quick: 100, deep: 1_000 }) },
  )
})

test('a client that joins at any index accepts the stream and has the same state as a client that read all', async () => {
  await fc.assert(
    fc.asyncProperty(wholeRun, async (events) => {
      const whole = await readAsClient(events)
      for (let cut = 0; cut < events.length; cut++) {
        const prelude = preludeAt(events, cut)
        for (const event of prelude) assert.is(eventProblem(event), null)
        const joined = await readAsClient([...prelude, ...events.slice(cut)])
        assert.equal(withoutAddedOwners(joined, whole), whole, `cut at ${cut}: ${JSON.stringify(prelude)}`)
      }
    }),
    { numRuns: countOf({ quick: 20, deep: 300 }) },
  )
})

test('the tail without a prelude is refused, so the test above can fail', async () => {
  const events: AgUiEvent[] = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' },
    { type: 'TEXT_MESSAGE_END', messageId: 'm' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ]
  for (let cut = 1; cut < events.length; cut++) {
    assert.is(
      await readAsClient(events.slice(cut)).then(
        () => 'accepted',
        () => 'refused',
      ),
      'refused',
      `cut at ${cut}`,
    )
  }
})

test.run()
