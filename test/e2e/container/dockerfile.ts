/** Reads a Dockerfile, as far as ours uses its language: how it is built, what an image is made of and how its process runs. */

/** A file or folder that the image copies from the previous stage. */
export interface Copy {
  readonly from: string
  readonly to: string
  /** The owner as `uid:gid`, and the mode in octal digits. Undefined if the instruction does not name them. */
  readonly chown: string | undefined
  readonly chmod: string | undefined
}

/** The last stage. */
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

/** Instructions by stage as name and rest; lines that continue are joined, comments are left out. */
function stagesOf(text: string): [name: string, rest: string][][] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: [name: string, rest: string][][] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push([name, rest])
  }
  return stages
}

/** The stage that builds. */
export interface BuildStage {
  readonly workdir: string
  /** Arguments with their defaults. */
  readonly args: Readonly<Record<string, string>>
  /** The commands of RUN, in order. */
  readonly commands: readonly string[]
}

/** The first stage of a Dockerfile. An instruction that is not known here is an error. */
export function buildStageOf(text: string): BuildStage {
  let stage: BuildStage = { workdir: '/', args: {}, commands: [] }
  for (const [name, rest] of stagesOf(text)[0] ?? []) {
    if (name === 'WORKDIR') stage = { ...stage, workdir: rest }
    else if (name === 'ARG') stage = { ...stage, args: { ...stage.args, ...variablesOf(rest) } }
    else if (name === 'RUN') stage = { ...stage, commands: [...stage.commands, rest] }
    else if (name === 'COPY') {
      if (rest !== '. .') throw new Error(`The build stage copies something else than the project: ${rest}`)
    } else if (name !== 'FROM')
      throw new Error(`The build stage has an instruction that this test does not follow: ${name}`)
  }
  return stage
}

/** The image of a Dockerfile. An unknown instruction is an error, so that the test leaves out no step. */
export function imageOf(text: string): Image {
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
  for (const [name, rest] of stagesOf(text).at(-1) ?? []) {
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
