/** A process that logs more than a reader takes; a test runs it with a pipe, a file or a terminal behind it. */
import { openLogDestination } from '../../../plugins/telemetry/logs/node-destination.ts'

const [count, ending] = [Number(process.argv[2]), process.argv[3]]
const destination = openLogDestination('json', false)
let worst = 0
let last = performance.now()
const beat = setInterval(() => {
  worst = Math.max(worst, performance.now() - last)
  last = performance.now()
}, 5)

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
