/**
 * Loaded before the service under soak. Adds an offset to the wall clock of the process. The offset is read from a file
 * ten times per second. Monotonic clocks, SQLite and the kernel are not affected.
 */
import { readFileSync } from 'node:fs'

const file = process.env['SOAK_CLOCK_FILE'] ?? ''
const realNow = Date.now
const RealDate = Date
let offsetMs = 0

setInterval(() => {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    // The file is being written.
  }
}, 100).unref()

const now = (): number => realNow() + offsetMs
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: [], made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
})
