/**
 * Reads a Dockerfile: how it builds, the files of the image of a profile, and the settings of its process. It supports
 * only the instructions that the Dockerfile of the service uses.
 */

/** A file or folder that the image copies from the previous stage. */
export interface Copy {
  readonly from: string
  readonly to: string
  /** The owner as `uid:gid`, and the mode in octal digits. Undefined if the instruction does not name them. */
  readonly chown: string | undefined
  readonly chmod: string | undefined
}

/** The last stage, with the contents of the stages that it is based on. */
export interface Image {
  readonly base: string
  readonly copies: readonly Copy[]
  /** `uid:gid`. */
  readonly user: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly healthcheck: readonly string[]
  readonly entrypoint: readonly string[]
  readonly stopSignal: string
}

type Instruction = readonly [name: string, rest: string]

/** All instructions as name and rest. Continued lines are joined, and comments are left out. */
function instructionsOf(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    return [name, rest]
  })
}

/** The stage that builds. */
export interface BuildStage {
  readonly workdir: string
  /** Arguments with their defaults. */
  readonly args: Readonly<Record<string, string>>
  /** The commands of RUN, in order. */
  readonly commands: readonly string[]
}

/** The first stage of a Dockerfile. An unknown instruction is an error. */
export function buildStageOf(text: string): BuildStage {
  const defaults: Record<string, string> = {}
  let stage: BuildStage | undefined
  for (const [name, rest] of instructionsOf(text)) {
    if (name === 'FROM' && stage !== undefined) return stage
    if (name === 'FROM') stage = { workdir: '/', args: {}, commands: [] }
    // Before the first stage an argument has a default; a stage that names the argument alone has this default.
    else if (stage === undefined && name === 'ARG') Object.assign(defaults, variablesOf(rest))
    else if (stage === undefined) throw new Error(`The Dockerfile has an instruction before its first FROM: ${name}`)
    else if (name === 'WORKDIR') stage = { ...stage, workdir: rest }
    else if (name === 'ARG') {
      const args = rest.includes('=') ? variablesOf(rest) : { [rest]: defaults[rest] ?? '' }
      stage = { ...stage, args: { ...stage.args, ...args } }
    } else if (name === 'RUN') stage = { ...stage, commands: [...stage.commands, rest] }
    else if (name === 'COPY') {
      if (rest !== '. .') throw new Error(`The build stage copies something else than the project: ${rest}`)
    } else throw new Error(`The build stage has an instruction that this test does not follow: ${name}`)
  }
  throw new Error('The Dockerfile has no second stage')
}

/** The instructions of the stages that the last stage is based on, then those of the last stage. */
function instructionsOfLast(text: string, args: Readonly<Record<string, string>>): readonly Instruction[] {
  const stages = new Map<string, readonly Instruction[]>()
  const given: Record<string, string> = {}
  let current: Instruction[] | undefined
  for (const [name, rest] of instructionsOf(text)) {
    if (name === 'FROM') {
      const [base = '', , as] = rest.replaceAll(/\$\{(\w+)\}/g, (_, arg: string) => given[arg] ?? '').split(/\s+/)
      current = [...(stages.get(base) ?? [['FROM', base]])]
      if (as !== undefined) stages.set(as, current)
    } else if (current !== undefined) current.push([name, rest])
    else if (name === 'ARG') Object.assign(given, variablesOf(rest), args)
    else throw new Error(`The Dockerfile has an instruction before its first FROM: ${name}`)
  }
  return current ?? []
}

/**
 * The image of a Dockerfile for build arguments. An unknown instruction is an error, so that the test leaves out no
 * step.
 */
export function imageOf(text: string, args: Readonly<Record<string, string>> = {}): Image {
  let image: Image = {
    base: '',
    copies: [],
    user: '0:0',
    environment: {},
    volumes: [],
    healthcheck: [],
    entrypoint: [],
    stopSignal: 'SIGTERM',
  }
  for (const [name, rest] of instructionsOfLast(text, args)) {
    if (name === 'FROM') image = { ...image, base: rest }
    else if (name === 'COPY') image = { ...image, copies: [...image.copies, copyOf(rest)] }
    else if (name === 'USER') image = { ...image, user: rest }
    else if (name === 'ENV') image = { ...image, environment: { ...image.environment, ...variablesOf(rest) } }
    else if (name === 'VOLUME') image = { ...image, volumes: [...image.volumes, rest] }
    else if (name === 'HEALTHCHECK') image = { ...image, healthcheck: commandOf(rest.replace(/^.*?CMD /, '')) }
    else if (name === 'ENTRYPOINT') image = { ...image, entrypoint: commandOf(rest) }
    else if (name === 'STOPSIGNAL') image = { ...image, stopSignal: rest }
    else if (name !== 'EXPOSE')
      throw new Error(`The Dockerfile has an instruction that this test does not follow: ${name}`)
  }
  return image
}

function copyOf(rest: string): Copy {
  const words = rest.split(/\s+/)
  const option = (name: string): string | undefined =>
    words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
  const [from = '', to = ''] = words.filter((word) => !word.startsWith('--'))
  return { from, to, chown: option('chown'), chmod: option('chmod') }
}

function variablesOf(rest: string): Record<string, string> {
  return Object.fromEntries(
    rest.split(/\s+/).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
}

function commandOf(rest: string): string[] {
  return JSON.parse(rest) as string[]
}
