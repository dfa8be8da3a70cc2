/**
 * Runs the test files of its arguments one after the other, as uvu's own command does. Lines on stdout and stderr say
 * which file has written what follows. A file that leaves something running is reported, and the process ends with the
 * next file not begun.
 */
import { writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Time that a file has to close what it opened, in milliseconds. */
const graceMs = Number(process.env['SVC_TEST_GRACE_MS'] ?? 10_000)

interface Uvu {
  UVU_DEFER: number
  UVU_QUEUE: unknown[][]
}

// uvu reads both when it is loaded.
const queue: unknown[][] = []
Object.assign(globalThis as unknown as Uvu, { UVU_DEFER: 1, UVU_QUEUE: queue })
const { exec } = await import('uvu')

/** Writes a line to both streams. */
function mark(text: string): void {
  for (const stream of [1, 2]) writeSync(stream, `# ${text}\n`)
}

const openNow = (): number =>
  process.getActiveResourcesInfo().filter((kind) => !/^(?:SignalWrap|TTY|Pipe)/.test(kind)).length

/** Whether nothing more is open than before, at once or within the grace. */
async function isClosed(before: number): Promise<boolean> {
  const untilMs = performance.now() + graceMs
  // The timer of the poll is not open when the count is taken.
  while (openNow() > before) {
    if (performance.now() > untilMs) return false
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return true
}

for (const file of process.argv.slice(2)) {
  mark(`file: ${file}`)
  const [before, { user, system }, sinceMs] = [openNow(), process.cpuUsage(), performance.now()]
  queue.length = 0
  queue.push([null])
  process.exitCode = 1
  try {
    await import(pathToFileURL(file).href)
    await exec()
  } catch (error) {
    console.error(error)
  }
  const code = process.exitCode
  process.exitCode = 0
  if (!(await isClosed(before))) process.kill(process.pid, 'SIGUSR2')
  // Errors of the last test come before the next file.
  await new Promise((resolve) => setImmediate(resolve))
  const spent = process.cpuUsage({ user, system })
  const [processorS, ms] = [(spent.user + spent.system) / 1e6, performance.now() - sinceMs]
  mark(`file ended: ${code} ${processorS.toFixed(2)} ${ms.toFixed(0)}`)
}
