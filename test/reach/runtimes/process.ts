/** Runtimes that are programs with `node:` modules: Node, Bun and Deno. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../support/child.ts'
import type { Cell } from '../cells.ts'
import { type Project, wasmAsText } from '../project.ts'
import type { StepResult } from '../suite/runner.ts'
import { installed } from './installed.ts'
import { programSteps } from './program.ts'
import { MARK, type Runtime, resultsOf } from './runtime.ts'
import { toolkitSteps } from './toolkit.ts'

interface ProcessRuntime {
  readonly title: string
  readonly program: string
  readonly version: string
  readonly absent: string | undefined
  /** Arguments before the file of a cell. */
  args(cell: Cell): readonly string[]
  readonly left?: (cell: Cell) => string | undefined
}

const quiet = ['--disable-warning=ExperimentalWarning']

function createProcessRuntime({ title, program, version, absent, args, left }: ProcessRuntime): Runtime {
  return {
    title,
    version,
    absent,
    isPinned: true,
    left: (cell) => left?.(cell),
    async run(cell, project) {
      if (cell.id === 'program') return programSteps(program, args(cell), project)
      if (cell.id === 'toolkit') return toolkitSteps(program, args(cell), project)
      return runFile(program, args(cell), writeMain(cell, project), project)
    },
  }
}

function writeMain(cell: Cell, project: Project): string {
  const name = project.writeCell(cell, 'names', wasmAsText(project))
  const main = `main-${name}`
  const text = `import { report } from './${name}'\nconsole.log('${MARK}' + JSON.stringify(await report()))\n`
  writeFileSync(join(project.folder, main), text)
  return main
}

async function runFile(
  program: string,
  args: readonly string[],
  main: string,
  { folder }: Project,
): Promise<readonly StepResult[]> {
  const child = startChild(program, { args: [...args, main], cwd: folder, env: { HOME: folder, NO_COLOR: '1' } })
  const results = await resultsOf(child)
  const { code } = await child.exited
  return code === 0 ? results : [...results, { name: 'ends', problem: `exit code ${code}: ${child.err.slice(-500)}` }]
}

const oldNode: ProcessRuntime['left'] = ({ id }) =>
  id === 'program'
    ? 'it refuses a Node that is too old, and says which one it needs ([Node](README.md#which-node))'
    : undefined

const nodes = ['20', '22', '24', '26'].map((major): Runtime => {
  // The running Node is that of the project's lock file.
  const isOwn = process.versions.node.startsWith(`${major}.`)
  const own = { program: process.execPath, version: process.versions.node, absent: undefined }
  const found = isOwn ? own : installed(`node-${major}`, 'bin/node')
  return createProcessRuntime({
    title: 'Node',
    ...found,
    args: () => (major === '20' ? [] : quiet),
    ...(major === '20' ? { left: oldNode } : {}),
  })
})

/** The rows of programs. Deno gets only the permissions that an entry needs. */
export const processRuntimes: readonly Runtime[] = [
  ...nodes,
  createProcessRuntime({ title: 'Bun', ...installed('@oven/bun-linux-x64', 'bin/bun'), args: () => [] }),
  createProcessRuntime({
    title: 'Deno',
    ...installed('@deno/linux-x64-glibc', 'deno'),
    args: ({ id }) => [
      ...['run', '--no-prompt', '--cached-only'],
      ...(id === 'node' ? ['--allow-net=127.0.0.1'] : id === 'program' || id === 'toolkit' ? ['--allow-all'] : []),
    ],
  }),
]
