/**
 * The commands of a Markdown page, in the order in which a reader types them. A block ```` ```sh ```` has a command on
 * each line (`\` at the end of a line continues the command). A block ```` ```console ```` has commands after `$ `
 * (further lines of a command after `> `), each followed by its output.
 *
 * Comments directly before a block, which readers do not see, control how the block is run:
 *
 * - `<!-- file: name -->`: the block is the content of a file, which exists from this place on.
 * - `<!-- needs: program, … -->`: the block is left out on a machine without one of the programs.
 * - `<!-- goes on: text -->`: the command runs in the background, as in a separate terminal. The next command begins
 *   when this one has printed `text`.
 * - `<!-- not run: reason -->`: the block is not run with its page. The reason names the test file that runs or
 *   compares its commands.
 *
 * Comments anywhere in the page control how the page is run: `<!-- commands: a shell for each section -->` (each `##`
 * section begins in an empty folder), `<!-- commands: in a clone -->` (the commands are typed in a clone of this
 * project), and `<!-- commands: ids are made up -->` (the page shows made-up ids, so ids are ignored in the comparison
 * and the page is never updated).
 */

/** A file that a page contains. */
export interface FileStep {
  readonly kind: 'file'
  readonly name: string
  readonly text: string
}

/** A command, and its output according to the page. The output is undefined if the page shows none. */
export interface CommandStep {
  readonly kind: 'command'
  readonly command: string
  readonly output: string | undefined
}

/** A block that is run. */
export interface Block {
  /** The block as written in the page, with its fences. */
  readonly source: string
  readonly steps: readonly (FileStep | CommandStep)[]
  /** Programs that the block needs. Without them the block is left out. */
  readonly needs: readonly string[]
  /** The text that a background command prints when the next command may begin. Undefined for other blocks. */
  readonly goesOn: string | undefined
}

/** Blocks that are run in one shell. */
export interface Story {
  readonly title: string
  /** The text of the story in the page. */
  readonly source: string
  readonly blocks: readonly Block[]
}

/** A block of commands that is not run with its page. */
export interface NotRun {
  readonly reason: string
  readonly source: string
  readonly commands: readonly string[]
}

/** The stories of a page, and the blocks that are not run. */
export interface Page {
  readonly stories: readonly Story[]
  readonly notRun: readonly NotRun[]
  readonly inClone: boolean
  readonly idsAreMadeUp: boolean
}

/** Comments, then a fenced block. The block may be indented, as in a list. */
const BLOCK = /((?:^[ \t]*<!-- [^\n]* -->\n+)*)^([ \t]*)```(\w*)[^\n]*\n([\s\S]*?)\n?^\2```[ \t]*$/gm
/** Languages of blocks with commands. */
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'shell', 'zsh', 'console'])
/** A line that begins with a prompt, as in blocks without a language. */
const PROMPT = /^\s*[\w.-]*[$#] \S/m
const HOW = ['a shell for each section', 'in a clone', 'ids are made up'] as const

/**
 * Reads a page. @throws TypeError for an unmarked block of commands in a form that cannot be run, and for an unknown
 * comment
 */
export function readPage(text: string): Page {
  const how = [...text.matchAll(/<!-- commands: (.+?) -->/g)].flatMap(([, words]) => words!.split(/, */))
  for (const word of how)
    if (!HOW.includes(word as (typeof HOW)[number])) throw new TypeError(`<!-- commands: ${word} --> is unknown`)
  const parts = how.includes('a shell for each section') ? text.split(/^(?=## )/m) : [text]
  const notRun: NotRun[] = []
  const stories = parts.map((source) => ({
    title: /^##? (.+)/m.exec(source)?.[1] ?? '',
    source,
    blocks: [...source.matchAll(BLOCK)].flatMap(([whole, marks, indent, language, body]) =>
      toBlock({ whole, marks: readMarks(marks!), indent: indent!, language: language!, body: body!, notRun }),
    ),
  }))
  return {
    stories: stories.filter(({ blocks }) => blocks.some(({ steps }) => steps.some(isCommand))),
    notRun,
    inClone: how.includes('in a clone'),
    idsAreMadeUp: how.includes('ids are made up'),
  }
}

/**
 * The stories of a page that a test file of their own runs: those of whose blocks some are marked as not run, for a
 * reason that names the file. These blocks, and those without such a mark, are read as blocks that are run.
 */
export function storiesRunBy(text: string, file: string): readonly Story[] {
  const mark = new RegExp(`^<!-- not run: .*${file.replaceAll('.', '\\.')}.* -->\\n`, 'gm')
  const titles = text.split(/^(?=## )/m).flatMap((part) => (part.search(mark) < 0 ? [] : /^## (.+)/.exec(part)![1]!))
  return readPage(text.replaceAll(mark, '')).stories.filter(({ title }) => titles.includes(title))
}

/** Whether a step is a command. */
export function isCommand(step: FileStep | CommandStep): step is CommandStep {
  return step.kind === 'command'
}

type Marks = Readonly<Partial<Record<'file' | 'needs' | 'goes on' | 'not run', string>>>

function readMarks(text: string): Marks {
  return Object.fromEntries(
    [...text.matchAll(/<!-- (file|needs|goes on|not run): (.+) -->/g)].map(([, k, v]) => [k!, v!]),
  )
}

interface Found {
  readonly whole: string
  readonly marks: Marks
  readonly indent: string
  readonly language: string
  readonly body: string
  readonly notRun: NotRun[]
}

function toBlock({ whole: source, marks, indent, language, body, notRun }: Found): Block[] {
  const needs = marks.needs?.split(/, */) ?? []
  const goesOn = marks['goes on']
  if (marks.file !== undefined)
    return [{ source, needs, goesOn, steps: [{ kind: 'file', name: marks.file, text: `${body}\n` }] }]
  const isShell = SHELLS.has(language)
  if (!isShell && !(['', 'text'].includes(language) && PROMPT.test(body))) return []
  if (marks['not run'] !== undefined) {
    const steps = language !== 'sh' && PROMPT.test(body) ? toCommands(body.slice(body.search(/^\$ /m))) : linesOf(body)
    notRun.push({ reason: marks['not run'], source, commands: steps.map(({ command }) => command) })
    return []
  }
  const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
  const steps = language === 'sh' ? linesOf(text) : language === 'console' ? toCommands(text) : undefined
  if (steps === undefined)
    throw new TypeError(`commands in a block of language "${language}" cannot be run:\n${source}`)
  if (goesOn !== undefined && steps.length !== 1)
    throw new TypeError(`a block that goes on must have a single command:\n${source}`)
  return [{ source, needs, goesOn, steps }]
}

/** The commands of a script; a line that goes on, and the text of a here-document, are of one command. */
function linesOf(body: string): CommandStep[] {
  return body
    .replaceAll('\\\n', '\\\u0000')
    .replaceAll(/<<'?(\w+)'?\n[\s\S]*?\n\1$/gm, (text) => text.replaceAll('\n', '\u0000'))
    .split('\n')
    .map((line) => line.replaceAll('\u0000', '\n'))
    .filter((line) => !/^\s*(?:#.*)?$/.test(line))
    .map((command) => ({ kind: 'command', command, output: undefined }))
}

function toCommands(body: string): CommandStep[] {
  return body
    .split(/^(?=\$ )/m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      if (!part.startsWith('$ ')) throw new TypeError(`text before the first command of its block:\n${part}`)
      const lines = part.trimEnd().split('\n')
      const end = lines.findIndex((line, index) => index > 0 && !line.startsWith('> '))
      const commandLines = end < 0 ? lines.length : end
      const command = lines.slice(0, commandLines).map((line) => line.slice(2))
      return { kind: 'command', command: command.join('\n'), output: lines.slice(commandLines).join('\n') }
    })
}

/** The text of a block with new outputs, one for each of its steps. A block that shows no output is unchanged. */
export function withOutputs({ source, steps }: Block, outputs: readonly string[]): string {
  const lines = steps.flatMap((step, index) =>
    step.kind === 'file' || step.output === undefined
      ? []
      : [`$ ${step.command.replaceAll('\n', '\n> ')}`, ...asLines(outputs[index]!)],
  )
  const open = source.indexOf('```console\n')
  return open < 0 ? source : `${source.slice(0, open)}\`\`\`console\n${lines.join('\n')}\n\`\`\``
}

function asLines(output: string): string[] {
  if (/^(?:\$ |```)/m.test(output))
    throw new TypeError(`this output would be read as a command or as the end of the block:\n${output}`)
  return output === '' ? [] : [output]
}
