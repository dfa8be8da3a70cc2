/** Measures the server's CPU time to join a run of 4 000 retained events with `stream_mode=agui_spec`. */
import { systemClock, systemRandom } from '../../../core/environment.ts'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { RunManager } from '../../../plugins/realtime/runs/manager.ts'

const EVENTS = 4_000
const ROUNDS = 9

/** Highest allowed CPU time of a join, in milliseconds. */
const BAR_MS = 10

/** Prints the median cost of a join at the end of the run, and in its middle. Returns false if one exceeds the bar. */
export async function measureJoins(): Promise<boolean> {
  const manager = new RunManager({
    clock: systemClock,
    randomBytes: systemRandom.bytes,
    soon: (run) => void setImmediate(run),
    runMaxEvents: 4_096,
    runMaxBytes: 8_388_608,
    runsMaxBytes: 536_870_912,
    runsIdentityShare: 1,
    runsTenantShare: 1,
    runWorkPerSecond: 200_000,
    maxIdBytes: 256,
    maxPatchOperations: 1_000,
    runCheckpointEvents: 512,
    runSliceMs: 5,
    maxFinishedRuns: 256,
    finishedRunTtlMs: 900_000,
    maxRunningRunsPerIdentity: 2,
    maxRunningRuns: 2,
    runIdleMs: 86_400_000,
  })
  const owner = { user_id: 'u', tenant_id: 't' }
  manager.create(owner, { run_id: 'r' })
  const events = eventsOfAnAgent()
  const before = process.cpuUsage()
  for (const event of events) manager.append(owner, 'r', [event])
  const appended = process.cpuUsage(before)
  const run = manager.find(owner, 'r')!
  const cost = async (at: number): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // The cache for later joiners is cleared, so that each join is computed.
      run.preludes.clear()
      const began = process.cpuUsage()
      await run.preludes.at(at)
      const { user, system } = process.cpuUsage(began)
      times.push((user + system) / 1_000)
    }
    return times.sort((a, b) => a - b)[ROUNDS >> 1]!
  }
  const [atEnd, middle] = [await cost(events.length), await cost(events.length >> 1)]
  const lines = [
    `\nA run of ${events.length} retained events, ms of processor time (medians of ${ROUNDS}):`,
    `  join where it stands     ${atEnd.toFixed(2)}, bar ${BAR_MS}`,
    `  resume from the middle   ${middle.toFixed(2)}, bar ${BAR_MS}`,
    `  append of one event      ${((appended.user + appended.system) / 1_000 / events.length).toFixed(3)}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  manager.close()
  return Math.max(atEnd, middle) <= BAR_MS
}

/** Messages of twenty chunks, each followed by a tool call and a change of the state. */
function eventsOfAnAgent(): readonly AgUiEvent[] {
  const events: AgUiEvent[] = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'STATE_SNAPSHOT', snapshot: { turn: 0, list: [] } },
  ]
  for (let turn = 0; events.length < EVENTS - 30; turn++) {
    const messageId = `m${turn}`
    const toolCallId = `c${turn}`
    events.push({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
    for (let piece = 0; piece < 20; piece++)
      events.push({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: 'some words of it ' })
    events.push(
      { type: 'TEXT_MESSAGE_END', messageId },
      { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'look', parentMessageId: messageId },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"at":"it"}' },
      { type: 'TOOL_CALL_END', toolCallId },
      { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/turn', value: turn }] },
    )
  }
  return events
}
