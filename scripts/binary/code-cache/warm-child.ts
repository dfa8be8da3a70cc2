/**
 * Runs a program once as its executable would, up to its first answer, and keeps what V8 has compiled of it by then.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { createRequire } from 'node:module'
import { type AddressInfo, Server } from 'node:net'
import sea from 'node:sea'
import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

const [program, assetsFile, cache] = process.argv.slice(2) as [string, string, string]
const assets = JSON.parse(readFileSync(assetsFile, 'utf8')) as Readonly<Record<string, string>>

/** How long after it listens, and after its first answer, a start is over: what is not needed for it, such as the local socket, may open after it. */
const SETTLE_MS = 150

// What the program asks the executable for, it finds here.
const asset = (name: string): Buffer => {
  if (assets[name] !== undefined) return readFileSync(assets[name])
  throw Object.assign(new Error(name), { code: 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND' })
}
const raw = (name: string): ArrayBuffer => new Uint8Array(asset(name)).buffer
Object.assign(sea, { isSea: () => true, getRawAsset: raw, getAsset: (name: string) => asset(name).toString('utf8') })
process.argv = [process.execPath, process.execPath]

// A collection of garbage would drop what has not run for a while. Set back at the end, as is what this process was started
// with: the cache names the flags it was made with.
setFlagsFromString('--no-flush-bytecode')

// A timer of the program fires in one start and not in the next, as the machine is busy or not: none that waits fires here.
const SHORT_MS = 5
const later = timers.setTimeout
const waits = (delayMs: unknown): boolean => Number(delayMs) >= SHORT_MS
const pending = (): NodeJS.Timeout => later(() => {}, 2 ** 31 - 1).unref()
const { setInterval } = timers
const { setTimeout: pause } = timerPromises
const still = {
  setTimeout: (...args: Parameters<typeof later>) => (waits(args[1]) ? pending() : later(...args)),
  setInterval: (...args: Parameters<typeof setInterval>) => (waits(args[1]) ? pending() : setInterval(...args)),
}
Object.assign(timers, still)
Object.assign(globalThis, still)
Object.assign(timerPromises, {
  setTimeout: (...args: Parameters<typeof pause>) => (waits(args[0]) ? new Promise(() => {}) : pause(...args)),
})

const script = new Script(readFileSync(program, 'latin1'), { filename: 'svc.cjs' })

// Functions are numbered as they are compiled, and the numbers of the program's are in its cache. Node's own of a request are
// compiled before it, so that they come between those of the program in no start, however busy the machine is.
const rehearsal = createServer((_, answer) => answer.end()).listen(0, '127.0.0.1', () => {
  ask((rehearsal.address() as AddressInfo).port, () => {
    rehearsal.close()
    watchListeners()
    script.runInThisContext()(createRequire(program), (name: string) => import(name))
  })
})

/** Asks the program once it listens on TCP and has done what it does besides, and ends the start with its answer. */
function watchListeners(): void {
  const { emit } = Server.prototype
  Server.prototype.emit = function (this: Server, event: string, ...args: unknown[]) {
    const address = event === 'listening' ? (this.address() as AddressInfo | string | null) : null
    if (typeof address === 'object' && address !== null) {
      later(() => ask(address.port, () => later(end, SETTLE_MS)), SETTLE_MS)
    }
    return Reflect.apply(emit, this, [event, ...args]) as boolean
  }
}

function ask(port: number, then: () => void): void {
  get({ host: '127.0.0.1', port, path: '/health', agent: false }, (answer) => {
    answer.resume().once('end', () => {
      if (answer.statusCode !== 200) throw new Error(`/health answered ${answer.statusCode}`)
      then()
    })
  })
}

function end(): void {
  for (const flag of ['--flush-bytecode', '--wasm-async-compilation']) setFlagsFromString(flag)
  writeFileSync(cache, script.createCachedData())
  process.exit(0)
}
