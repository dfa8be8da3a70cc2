/**
 * Imports a library once, and opens what it exports: a runtime, until it is ready, or an engine on a host in memory.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Library {
  readonly createRuntime?: (options: object) => {
    ready(): Promise<void>
    close(): Promise<void>
  }
  readonly createEmbedded?: (options: object) => Promise<{ close(): Promise<void> }>
}

// A runtime keeps no process alive by itself.
setInterval(() => undefined, 1_000)

const [file = '', settings = '{}'] = process.argv.slice(2)
const { createRuntime, createEmbedded } = (await import(pathToFileURL(file).href)) as Library
if (createRuntime !== undefined) {
  const runtime = createRuntime({ settings: JSON.parse(settings) as object })
  await runtime.ready()
  await runtime.close()
}
if (createEmbedded !== undefined)
  await (await createEmbedded({ host: hostInMemory(), database: databaseInMemory() })).close()
// A library may leave a timer, which does not matter here.
process.exit()

function hostInMemory(): object {
  const wasm = join(dirname(file), 'sql-wasm.wasm')
  return {
    identity: () => null,
    persistence: { load: () => null, save: () => undefined },
    devices: { get: () => undefined },
    projects: { has: () => false },
    frontier: () => null,
    apply: () => undefined,
    now: () => Date.now(),
    log: () => undefined,
    ...(existsSync(wasm) && { sqlWasm: readFileSync(wasm) }),
  }
}

function databaseInMemory(): object {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(':memory:')
  return {
    exec: (sql: string) => database.exec(sql),
    run: (sql: string, params: string[]) => database.prepare(sql).run(...params),
    all: (sql: string, params: string[]) => database.prepare(sql).all(...params),
  }
}
