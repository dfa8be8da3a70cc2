/** workerd, the runtime of Cloudflare Workers: one isolate that answers the request which runs a suite. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-port.ts'
import { startChild } from '../../support/child.ts'
import type { Cell } from '../cells.ts'
import type { Project } from '../project.ts'
import type { StepResult } from '../suite/runner.ts'
import { installed } from './installed.ts'
import type { Runtime } from './runtime.ts'

/** The date of the behaviour that the isolate has. */
export const COMPATIBILITY = '2026-11-01'

/** The row of workerd. */
export const workerd: Runtime = {
  title: 'workerd',
  ...installed('@cloudflare/workerd-linux-64', 'bin/workerd'),
  isPinned: true,
  left: ({ needsNode }) => needsNode,
  async run(cell, project) {
    const name = project.writeCell(cell, 'paths', `export { default } from './svc/embedded-mobile/sql-wasm.wasm'\n`)
    const main = `main-workerd-${name}`
    writeFileSync(
      join(project.folder, main),
      `import { report } from './${name}'\nexport default { fetch: async () => Response.json(await report()) }\n`,
    )
    return JSON.parse(await ask(main, cell, project)) as readonly StepResult[]
  },
}

async function ask(main: string, cell: Cell, project: Project): Promise<string> {
  const port = await freePort()
  const config = join(project.folder, `${main}.capnp`)
  writeFileSync(config, configText([main, ...modulesOf(cell, project)], port))
  const child = startChild(installed('@cloudflare/workerd-linux-64', 'bin/workerd').program, {
    args: ['serve', '--control-fd=1', config],
    cwd: project.folder,
  })
  try {
    await child.waitFor(/"event":\s*"listen"/, 20_000)
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}\n${child.err}`.slice(0, 2_000))
    return text
  } finally {
    await child.stop()
  }
}

/** The modules that a cell may import: the configuration names each. */
function modulesOf({ id, entries, wasm }: Cell, { folder, fileOf }: Project): readonly string[] {
  const suite = readdirSync(join(folder, 'suite'))
    .filter((name) => name !== 'node.js')
    .map((name) => `suite/${name}`)
  const parts = entries.includes('svc/minimal')
    ? readdirSync(join(folder, 'svc/minimal'))
        .filter((name) => name.endsWith('.mjs'))
        .map((name) => `svc/minimal/${name}`)
    : []
  const engine = wasm === true ? ['sql-wasm.js', 'svc/embedded-mobile/sql-wasm.wasm'] : []
  return [...new Set([`${id}.js`, ...entries.map(fileOf), ...parts, ...suite, ...engine])]
}

function configText(modules: readonly string[], port: number): string {
  const list = modules.map((name) => {
    const kind = name.endsWith('.wasm') ? 'wasm' : 'esModule'
    return `    (name = "${name}", ${kind} = embed "${name}"),`
  })
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
${list.join('\n')}
  ],
  compatibilityDate = "${COMPATIBILITY}",
);
`
}
