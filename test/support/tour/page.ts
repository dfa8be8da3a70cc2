/**
 * A page of stories: Markdown in which the commands are run and their output is compared. Each `##` is a story. A block marked
 * `<!-- file: name -->` is a file that appears at that place of the story; a `console` block has commands after `$ ` (further
 * lines of one after `> `), each followed by what it prints. `<!-- needs: program -->` before a block says that it is left
 * as it is where there is no such program. What follows `<!-- reference: no story from here on -->` has no commands.
 */

/** A file that a story brings. */
export interface FileStep {
  readonly kind: 'file'
  readonly name: string
  readonly text: string
}

/** A command of a story, and what the page says that it prints. */
export interface CommandStep {
  readonly kind: 'command'
  readonly command: string
  readonly output: string
}

/** A block of a story that is run. */
export interface Block {
  /** The block as it stands in the page, fences included. */
  readonly source: string
  readonly steps: readonly (FileStep | CommandStep)[]
  /** Programs without which it is left out. */
  readonly needs: readonly string[]
}

/** One story of a page. */
export interface Story {
  readonly title: string
  /** Its text in the page, from the heading on. */
  readonly source: string
  readonly blocks: readonly Block[]
}

const BLOCK = /((?:<!-- (?:file|needs): [^\n]+ -->\n)*)```(\w+)\n([\s\S]*?)\n```/g

/** The stories of a page. */
export function readStories(page: string): Story[] {
  return page
    .split('<!-- reference: no story from here on -->')[0]!
    .split(/^(?=## )/m)
    .slice(1)
    .map((source) => ({
      title: /^## (.+)/.exec(source)![1]!,
      source,
      blocks: [...source.matchAll(BLOCK)].flatMap(([whole, marks, language, body]) =>
        toBlock(whole, marks!, language!, body!),
      ),
    }))
}

function toBlock(source: string, marks: string, language: string, body: string): Block[] {
  const marked = (kind: string): string[] =>
    [...marks.matchAll(new RegExp(`<!-- ${kind}: (.+) -->`, 'g'))].flatMap(([, names]) => names!.split(/, */))
  const [file] = marked('file')
  const needs = marked('needs')
  if (file !== undefined) return [{ source, needs, steps: [{ kind: 'file', name: file, text: `${body}\n` }] }]
  return language === 'console' ? [{ source, needs, steps: toCommands(body) }] : []
}

function toCommands(body: string): CommandStep[] {
  return body
    .split(/^(?=\$ )/m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      if (!part.startsWith('$ ')) throw new TypeError(`this stands before the first command of its block:\n${part}`)
      const lines = part.trimEnd().split('\n')
      const end = lines.findIndex((line, index) => index > 0 && !line.startsWith('> '))
      const said = end < 0 ? lines.length : end
      const command = lines.slice(0, said).map((line) => line.slice(2))
      return { kind: 'command', command: command.join('\n'), output: lines.slice(said).join('\n') }
    })
}

/** The text of a console block with other output, one for each of its commands. */
export function withOutputs({ source, steps }: Block, outputs: readonly string[]): string {
  const lines = steps.flatMap((step, index) =>
    step.kind === 'file' ? [] : [`$ ${step.command.replaceAll('\n', '\n> ')}`, ...asLines(outputs[index]!)],
  )
  const open = source.indexOf('```console\n')
  return open < 0 ? source : `${source.slice(0, open)}\`\`\`console\n${lines.join('\n')}\n\`\`\``
}

function asLines(output: string): string[] {
  if (/^(?:\$ |```)/m.test(output)) throw new TypeError(`this output would be read as a command or the end:\n${output}`)
  return output === '' ? [] : [output]
}
