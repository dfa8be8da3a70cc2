/** A process that logs faster than a reader reads. Tests run it with a pipe, a file or a terminal as its output. */
import { openLogDestination } from '../../../plugins/telemetry/logs/node-destination.ts'
import { timeOf } from '../../support/process-time.ts'

const [count, ending] = [Number(process.argv[2]), process.argv[3]]
const destination = openLogDestination('json', false)
/** The longest time between two beats, without the time in which the process was ready to run but had no core. */
let worst = 0
let last = now()
const beat = setInterval(() => {
  const next = now()
  worst = Math.max(worst, next - last)
  last = next
}, 5)

function now(): number {
  return performance.now() - timeOf(process.pid).waitedMs
}

let written = 0
function burst(): void {
  for (let i = 0; i < 500 && written < count; i++) destination.write(`{"n":${written++},"pad":"${'x'.repeat(80)}"}\n`)
  if (written < count) setTimeout(burst, 1)
  else if (ending === 'crash') crash()
  else void finish()
}

async function finish(): Promise<void> {
  process.stderr.write('written\n')
  const started = performance.now()
  await destination.flush?.()
  clearInterval(beat)
  process.stderr.write(JSON.stringify({ written, worst, flushMs: performance.now() - started }))
  process.exit(0)
}

function crash(): never {
  process.stderr.write(JSON.stringify({ written, worst, flushMs: 0 }))
  process.exit(1)
}

burst()
