/** workerd, the runtime of Cloudflare Workers. A suite runs inside the request for its results. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { freePort } from '../../../scripts/free-port.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { startChild } from '../../support/child.ts'
import type { Cell } from '../cells.ts'
import type { Project } from '../project.ts'
import type { StepResult } from '../suite/runner.ts'
import { installed } from './installed.ts'
import type { Runtime } from './runtime.ts'

/** The compatibility date of the workers, which selects their behaviour. */
const COMPATIBILITY = '2026-11-01'
const ENGINE = 'svc/embedded-mobile/sql-wasm.wasm'

const { program, version, absent } = installed('@cloudflare/workerd-linux-64', 'bin/workerd')

/** The row of workerd. */
export const workerd: Runtime = {
  title: 'workerd',
  version,
  absent,
  isPinned: true,
  left: ({ needsNode }) => needsNode,
  async run(cell, project) {
    const name = project.writeCell(cell, 'paths', `export { default } from './${ENGINE}'\n`)
    const main = `main-workerd-${name}`
    writeFileSync(
      join(project.folder, main),
      `import { report } from './${name}'\nexport default { fetch: async () => Response.json(await report()) }\n`,
    )
    const worker = await startWorker({ folder: project.folder, modules: [main, ...modulesOf(cell, project)] })
    try {
      const answer = await fetch(worker.origin)
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`.slice(0, 2_000))
      return JSON.parse(text) as readonly StepResult[]
    } finally {
      await worker.stop()
    }
  },
}

/** The modules that a cell may import. The configuration must list them. */
function modulesOf({ id, entries, wasm, asm }: Cell, { fileOf, partsOf, suites }: Project): readonly string[] {
  const engine = [...(wasm === true ? ['sql-wasm.js', ENGINE] : []), ...(asm === true ? ['sql-asm.js'] : [])]
  const parts = entries.flatMap((entry) => [fileOf(entry), ...partsOf(entry)])
  return [...new Set([`${id}.js`, ...parts, ...suites.filter((name) => name !== 'suite/node.js'), ...engine])]
}

/** A running worker. */
export interface Worker {
  readonly origin: string
  stop(): Promise<void>
}

/** The files of a worker below a folder, with the main module first, and its Durable Object. */
interface WorkerOptions {
  readonly folder: string
  readonly modules: readonly string[]
  /** The class behind the binding `SVC`. */
  readonly durable?: string
  /** Values of bindings. */
  readonly texts?: Readonly<Record<string, string>>
}

/** Starts a worker on loopback. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const port = await freePort()
  const config = join(options.folder, `${options.modules[0]}.capnp`)
  writeFileSync(config, configText(options, port))
  const child = startChild(program, { args: ['serve', '--control-fd=1', config], cwd: options.folder })
  await child.waitFor(/"event":\s*"listen"/, WAIT_MS)
  return { origin: `http://127.0.0.1:${port}`, stop: async () => void (await child.stop()) }
}

/** Bundles a worker as Wrangler does, into one file beside it. */
export async function bundleWorker(folder: string, name: string): Promise<string> {
  const out = name.replace(/\.\w+$/, '.out.js')
  await build({
    entryPoints: [join(folder, name)],
    outfile: join(folder, out),
    bundle: true,
    format: 'esm',
    external: ['cloudflare:*'],
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
  })
  return out
}

function configText({ modules, durable, texts = {} }: WorkerOptions, port: number): string {
  const list = modules.map((name) => {
    const kind = name.endsWith('.wasm') ? 'wasm' : 'esModule'
    return `    (name = "${name}", ${kind} = embed "${name}"),`
  })
  const bindings = Object.entries(texts).map(([name, text]) => `(name = "${name}", text = "${text}")`)
  if (durable !== undefined) bindings.push(`(name = "SVC", durableObjectNamespace = "${durable}")`)
  const objects =
    durable === undefined
      ? ''
      : `  durableObjectNamespaces = [(className = "${durable}", uniqueKey = "svc")],
  durableObjectStorage = (inMemory = void),
`
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
${list.join('\n')}
  ],
${objects}  bindings = [${bindings.join(', ')}],
  compatibilityDate = "${COMPATIBILITY}",
);
`
}
