/** QuickJS, the engine of small devices, compiled to WebAssembly. Each cell is one script. */
import { createRequire } from 'node:module'
import type { Cell } from '../cells.ts'
import type { StepResult } from '../suite/runner.ts'
import { LENT, leftInRealm, scriptOf } from './bare.ts'
import { installed, packageFile } from './installed.ts'
import type { Runtime } from './runtime.ts'

interface Core {
  newQuickJSWASMModuleFromVariant(variant: unknown): Promise<{ newContext(): Context }>
}

/** A realm of the engine. Handles refer to its values. */
interface Context {
  readonly runtime: { executePendingJobs(): unknown }
  evalCode(code: string): unknown
  unwrapResult(result: unknown): unknown
  dump(handle: unknown): unknown
}

const core = 'quickjs-emscripten-core'
const engine = '@jitl/quickjs-ng-wasmfile-release-sync'
const { version, absent } = installed(engine, 'package.json')

/** The row of the engine. */
export const quickJs: Runtime = {
  title: 'QuickJS (quickjs-ng), in WebAssembly',
  version,
  absent,
  isPinned: true,
  left: (cell: Cell) => (cell.id === 'embedded' ? 'its engine is WebAssembly, which QuickJS lacks' : leftInRealm(cell)),
  async run(cell, project) {
    const require = createRequire(packageFile(core))
    const { newQuickJSWASMModuleFromVariant } = require(core) as Core
    const { default: variant } = require(engine) as { default: unknown }
    const context = (await newQuickJSWASMModuleFromVariant(variant)).newContext()
    const run = (code: string): unknown => context.dump(context.unwrapResult(context.evalCode(code)))
    run(`${LENT}${await scriptOf(cell, project)}
cell.report().then((results) => (globalThis.results = JSON.stringify(results)), (error) => (globalThis.fault = String(error)))`)
    context.runtime.executePendingJobs()
    const [results, fault] = ['results', 'fault'].map((name) => run(`globalThis.${name}`))
    if (typeof results !== 'string') throw new Error(`no results: ${fault}`)
    return JSON.parse(results) as readonly StepResult[]
  },
}
