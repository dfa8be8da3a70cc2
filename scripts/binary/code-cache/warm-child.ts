/**
 * Runs a program once as its executable does, up to its first answer, and writes the code cache of the code compiled so
 * far.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { createRequire } from 'node:module'
import { type AddressInfo, Server } from 'node:net'
import { dirname } from 'node:path'
import sea from 'node:sea'
import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

const [program, assetsFile, cache] = process.argv.slice(2) as [string, string, string]
const assets = JSON.parse(readFileSync(assetsFile, 'utf8')) as Readonly<Record<string, string>>

/**
 * Milliseconds to wait after the program listens, and again after its first answer: parts that the answer does not
 * need, such as the local socket, can start later.
 */
const SETTLE_MS = 150

// Replaces `node:sea`, so that the program finds the assets of its executable.
const asset = (name: string): Buffer => {
  if (assets[name] !== undefined) return readFileSync(assets[name])
  throw Object.assign(new Error(name), { code: 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND' })
}
const raw = (name: string): ArrayBuffer => new Uint8Array(asset(name)).buffer
Object.assign(sea, { isSea: () => true, getRawAsset: raw, getAsset: (name: string) => asset(name).toString('utf8') })
process.argv = [process.execPath, process.execPath]

// Garbage collection must not drop bytecode of functions that have not run for a while. This flag, and the flag from
// the command line, are set back at the end, because the cache records the flags that it was created with.
setFlagsFromString('--no-flush-bytecode')

// Whether a timer of the program fires before the end depends on the load of the machine, so timers with a delay never
// fire here.
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

// V8 numbers functions as they are compiled, and the cache contains the numbers of the program's functions. A first
// request compiles Node's own functions before the program starts, so that their numbers never come between those of
// the program.
const rehearsal = createServer((_, answer) => answer.end()).listen(0, '127.0.0.1', () => {
  ask((rehearsal.address() as AddressInfo).port, () => {
    rehearsal.close()
    watchListeners()
    const place = { filename: program, dirname: dirname(program), url: pathToFileURL(program).href }
    script.runInThisContext()(createRequire(program), (name: string) => import(name), undefined, undefined, place)
  })
})

/**
 * Requests `/health` after the program listens on TCP and its other work is done, and ends the process after the
 * answer.
 */
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
