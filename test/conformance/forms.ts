/** The shipped forms of a profile. Each form starts a target with given settings. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SurfaceName } from '../../core/http/route.ts'
import type { CallCase, CommandCase, Library, Target } from '../../core/testing/contract.ts'
import { outputName } from '../../scripts/build/generate/generate.ts'
import { buildDir, distDir } from '../../scripts/build/paths.ts'
import type { Plan, TargetPlan } from '../../scripts/build/plan/target-plan.ts'
import { freePort } from '../../scripts/free-port.ts'
import { type Child, type ChildExit, startChild } from '../support/child.ts'
import { createHosts } from './hosted-target.ts'
import { type Address, httpTarget } from './http-target.ts'
import { loadLibrary, runCallCase } from './library-form.ts'
import { inTurn } from './nodes-target.ts'
import { checkNoProgram, runCommandCase } from './program-form.ts'
import { complete, nest } from './settings.ts'

/** The longest time from the start of a process until it accepts connections, in milliseconds. */
const START_LIMIT_MS = 60_000

/** The number of nodes of the form "three nodes". */
const NODES = 3

/** A started form. */
export interface Started {
  /** Returns the target of a surface, or undefined if the form does not serve this surface. */
  on(surface: SurfaceName): Target | undefined
  stop(): Promise<void>
}

/** One form of a profile. */
export interface Form {
  readonly name: string
  readonly target: TargetPlan
  /** The reason why the form cannot be tested on this machine. */
  readonly skip?: string
  /** Starts a form that answers requests, with settings by full key. */
  readonly start?: (settings: Readonly<Record<string, unknown>>) => Promise<Started>
  /** Ends what serves all starts of the form, after the last of them has stopped. */
  readonly end?: () => Promise<void>
  /** Runs a command case, if the form is a program. */
  readonly command?: (one: CommandCase) => Promise<void>
  /** Runs a call case, if the form is a library. */
  readonly call?: (one: CallCase) => Promise<void>
  /** The number of nodes. Cases that hold for a single node only are skipped. */
  readonly nodes?: number
  /** Set if the profile has no program. */
  readonly programless?: true
  /** The cases that `make test` runs on this form; `make test-deep` runs every case. */
  readonly quick?: Quick
}

/**
 * Selects the cases of a form that `make test` runs: cases whose settings many cases share, and one command per
 * feature.
 */
export interface Quick {
  /** Where the other cases run, for the skip reason. */
  readonly elsewhere: string
  /** The smallest number of cases with the same settings for which the form is started. */
  readonly least: number
  /** Returns true if a smaller group also runs, given its settings and its features. */
  readonly keeps?: (settings: Readonly<Record<string, unknown>>, features: readonly string[]) => boolean
}

/** For a form that has the same code as another form. */
const sameCode: Quick = { elsewhere: 'another form has the same code', least: 10 }

/** For a form that has the same bundle as another form in other files: only the most common settings start the form. */
const sameBundle: Quick = { ...sameCode, least: 50 }

/** Settings that no transport reads. A case that sets `server.transport` runs on that one, whatever the form. */
const ofNoTransport =
  /^(?:security|logs|traces|tools)\.|^sync\.remote$|^server\.(?:log_format|transport)$|^realtime\.run_(?:store|max_events)$/

/**
 * For the second transport of a program. Small groups of cases with settings that no transport reads run only on the
 * first transport.
 */
const otherTransport: Quick = {
  elsewhere: 'the same program runs them on its other transport',
  least: 10,
  keeps: (settings) => Object.keys(settings).some((key) => !ofNoTransport.test(key)),
}

/** Returns every form of a plan. */
export function formsOf({ profile, targets }: Plan): Form[] {
  const library = targets.find(({ form }) => form === 'library')!
  const main = targets.find(({ form }) => form === 'main')
  const dist = distDir(profile.name)
  const bundle = join(dist, 'index.mjs')
  const forms: Form[] = []
  if ('createRuntime' in exportsOf(library))
    forms.push(
      { ...libraryForm('source', library, join(buildDir(profile.name), 'library', 'entry.ts')), quick: sameCode },
      {
        ...libraryForm('library', library, bundle),
        call: callForm(bundle, library),
      },
    )
  else
    forms.push({
      name: library.platform === 'bare' ? 'library, bare realm' : 'library',
      target: library,
      ...missing(bundle),
      call: callForm(bundle, library),
    })
  const single = targets.find(({ form }) => form === 'single')
  if (single !== undefined && 'createRuntime' in exportsOf(single)) {
    const file = join(dist, outputName(single))
    forms.push({ ...libraryForm('library, one file', single, file), call: callForm(file, single), quick: sameBundle })
  }
  const script = join(dist, 'svc.mjs')
  const executable = join(dist, 'svc')
  if (main === undefined)
    return [
      ...forms,
      {
        name: 'no program',
        target: library,
        ...missing(bundle),
        programless: true,
        command: async () => checkNoProgram([script, executable]),
      },
    ]
  const transports = transportsOf(main)
  const node = [process.execPath, script] as const
  for (const [index, transport] of transports.entries())
    forms.push({
      ...processForm(`server ${transport}`, main, node, transport, transports),
      ...(index > 0 && { quick: otherTransport }),
    })
  forms.push({
    name: 'program',
    target: main,
    ...missing(script),
    command: (one) => runCommandCase(node, main, one),
  })
  forms.push({
    ...processForm('executable', main, [executable], transports[0]!, transports),
    quick: sameBundle,
    command: (one) => runCommandCase([executable], main, one),
  })
  if (main.features.some(({ id }) => id.startsWith('cluster.')))
    forms.push(nodesForm(processForm('three nodes', main, node, transports[0]!, transports)))
  return forms
}

/** A form of several cluster nodes. Each request goes to the next node. */
function nodesForm(form: Form): Form {
  return {
    ...form,
    nodes: NODES,
    start: async (settings) => {
      const nodes = await Promise.all(Array.from({ length: NODES }, () => form.start!(settings)))
      const target = inTurn(nodes.map((node) => node.on('runtime')!))
      return {
        on: (surface) => (surface === 'runtime' ? target : undefined),
        stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
      }
    },
  }
}

/** Loads the library once, on the first case. */
function callForm(file: string, { platform }: TargetPlan): NonNullable<Form['call']> {
  let library: Promise<Library> | undefined
  return async (one) => runCallCase(await (library ??= loadLibrary(file, platform)), one)
}

/** Returns the exports of the library, by name. */
export function exportsOf({ features }: TargetPlan): Record<string, string> {
  return Object.assign({}, ...features.map(({ feature }) => feature.exports ?? {})) as Record<string, string>
}

function transportsOf({ features }: TargetPlan): string[] {
  const has = (id: string): boolean => features.some((feature) => feature.id === id)
  return [...(has('transport.uws') ? ['uws'] : []), ...(has('transport.node-http') ? ['node'] : [])]
}

function libraryForm(name: string, target: TargetPlan, file: string): Form {
  const hosts = createHosts({ file: pathToFileURL(file).href, defines: target.defines })
  return {
    name,
    target,
    ...missing(file),
    end: hosts.end,
    start: async (settings) => {
      const hosted = await hosts.start(nest(complete(target, settings)))
      return { on: (surface) => (surface === 'runtime' ? hosted.target : undefined), stop: hosted.stop }
    },
  }
}

function processForm(
  name: string,
  target: TargetPlan,
  command: readonly [string, ...string[]],
  transport: string,
  transports: readonly string[],
): Form {
  return {
    name,
    target,
    ...missing(command.at(-1)!),
    start: async (settings) => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-conformance-'))
      const full = complete(target, settings)
      if (transports.length > 1) full['server.transport'] ??= transport
      const port = await freePort()
      full['server.port'] ??= port
      if (target.manifest.settings.includes('storage.dir')) full['storage.dir'] ??= join(folder, 'state')
      const socketPath = join(folder, 'run', 'sync.sock')
      if (target.manifest.settings.includes('sync.socket_path')) full['sync.socket_path'] ??= socketPath
      const config = join(folder, 'config.json')
      writeFileSync(config, JSON.stringify(nest(full)))
      const [file, ...args] = command
      const child = startChild(file, { args: [...args, '--config', config], env: { HOME: folder, NO_COLOR: '1' } })
      try {
        return await running(child, folder, port, full['sync.socket_path'] as string | undefined)
      } catch (error) {
        await child.stop('SIGKILL')
        rmSync(folder, { recursive: true, force: true })
        throw error
      }
    },
  }
}

async function running(child: Child, folder: string, port: number, socketPath: string | undefined): Promise<Started> {
  await answers({ port }, child)
  const logs = (): string => child.out + child.err
  const runtime = httpTarget({ port }, logs)
  // The surfaces open in no particular order.
  const local =
    socketPath === undefined
      ? undefined
      : afterOpening(httpTarget({ socketPath }, logs), () => answers({ socketPath }, child))
  return {
    on: (surface) => (surface === 'runtime' ? runtime : local),
    stop: async () => {
      const { code } = await child.stop()
      rmSync(folder, { recursive: true, force: true })
      if (code !== 0) throw new Error(`exit code ${code} after SIGTERM\n${logs()}`)
    },
  }
}

/** The same target. Its first request waits for `open`. */
function afterOpening(target: Target, open: () => Promise<void>): Target {
  let opened: Promise<void> | undefined
  const once = (): Promise<void> => (opened ??= open())
  return {
    ...target,
    request: async (send) => {
      await once()
      return target.request(send)
    },
    open: async (send) => {
      await once()
      return target.open(send)
    },
  }
}

/** Waits until the address accepts connections, and fails if the process ends first. */
async function answers(address: Address, child: Child): Promise<void> {
  let ended: ChildExit | undefined
  child.exited.then(
    (exit) => (ended = exit),
    () => (ended = { code: null, signal: null }),
  )
  for (let waited = 0; waited < START_LIMIT_MS; waited += 20) {
    if (ended !== undefined)
      throw new Error(`the process ended with ${JSON.stringify(ended)}\n${child.out}\n${child.err}`)
    const open = await new Promise<boolean>((resolve) => {
      const at = 'port' in address ? { ...address, host: '127.0.0.1' } : { path: address.socketPath }
      const socket = connect(at, () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`the process did not listen within ${START_LIMIT_MS} ms\n${child.out}\n${child.err}`)
}

function missing(file: string): { skip?: string } {
  return existsSync(file) ? {} : { skip: `${file} has not been built` }
}
