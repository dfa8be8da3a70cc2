/** Runs one sub-command: parses the arguments, shows the help, writes the result, and reports errors. */
import { constants, tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { isSvcError, type SvcError } from '../../core/declare/errors.ts'
import { nearest } from '../../core/kernel/nearest.ts'
import { workDir } from '../build/paths.ts'
import { openConsole } from './console.ts'
import { EXIT, exitCodeOf, toolFail } from './errors.ts'
import { overview, toolHelp } from './help.ts'
import { common, type Tool, type ToolCall, toParseOptions } from './tool.ts'
import { tools } from './tools.ts'

/** Runs `svc-build` with its arguments. Resolves to the exit code. */
export async function runTool(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(overview())
    return name === undefined ? EXIT.usage : EXIT.done
  }
  if (name === '--version') {
    const { version } = await import('../build/version.ts')
    process.stdout.write(`${version}\n`)
    return EXIT.done
  }
  const json = rest.includes('--json')
  const { io, done } = openConsole(json)
  exitOnSignals(done)
  try {
    const entry = tools[name]
    if (entry === undefined) throw unknown(name)
    const { tool } = await entry.load()
    if (rest.includes('--help') || rest.includes('-h')) {
      process.stdout.write(toolHelp(name, tool))
      return EXIT.done
    }
    const { json: result, code = EXIT.done } = await tool.run({ ...read(name, tool, rest), io })
    done()
    if (json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    return code
  } catch (error) {
    done()
    return report(error, json)
  }
}

function unknown(name: string): Error {
  const near = nearest(name, Object.keys(tools))
  return toolFail('ERR_TOOL_USAGE', {
    message: `There is no command "${name}".`,
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}svc-build --help lists them.`,
  })
}

/** @throws SvcError `ERR_TOOL_USAGE` */
function read(name: string, tool: Tool, args: readonly string[]): Omit<ToolCall, 'io'> {
  const fail = (message: string, cause?: unknown): Error =>
    toolFail('ERR_TOOL_USAGE', { message, hint: `svc-build ${name} --help shows an example.`, cause })
  const parsed = (() => {
    try {
      const options = toParseOptions({ ...common, ...tool.options })!
      return parseArgs({ args: [...args], options, allowPositionals: true })
    } catch (cause) {
      throw fail((cause as Error).message.split('. To specify')[0]!, cause)
    }
  })()
  const { values, positionals } = parsed
  const [least, most] = tool.words
  if (positionals.length < least || positionals.length > most) {
    throw fail(`It is called like this: svc-build ${name} ${tool.usage}`.trimEnd())
  }
  const all = (option: string): readonly string[] =>
    [values[option] ?? []].flat().filter((value): value is string => typeof value === 'string')
  return {
    words: positionals,
    flag: (option) => values[option] === true,
    value: (option) => all(option).at(-1),
    values: (option) => all(option).flatMap((value) => value.split(',').filter((part) => part !== '')),
  }
}

function report(thrown: unknown, json: boolean): number {
  const error = isSvcError(thrown) ? thrown : refusedBySystem(thrown)
  if (error === undefined) {
    console.error(thrown)
    return EXIT.failed
  }
  const { code, message, hint } = error
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message, ...(hint && { hint }) } }, null, 2)}\n`)
  console.error(code === 'ERR_TOOL_USAGE' || message.includes(code) ? message : `${code}: ${message}`)
  if (hint !== undefined) console.error(`  → ${hint}`)
  return exitCodeOf(code)
}

/**
 * Converts a file error of the operating system, such as a read-only folder or a full disk, to an input error;
 * undefined for any other error.
 */
function refusedBySystem(thrown: unknown): SvcError | undefined {
  const { code, syscall, path, message } = (thrown ?? {}) as NodeJS.ErrnoException
  if (!(thrown instanceof Error) || syscall === undefined) return undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    // A write to an open file does not name the file.
    const place = path === undefined || message.includes(path) ? '' : ` '${path}'`
    const hint =
      `Make room on the disk of ${path ?? `${workDir} or ${tmpdir()}`}, ` +
      'and call it again. What was delivered before is unchanged.'
    return toolFail('ERR_TOOL_INPUT', { message: `The disk is full: ${message}${place}.`, hint, cause: thrown })
  }
  if (path === undefined) return undefined
  const hint = 'Is there such a folder, may it be written to, and is there room?'
  return toolFail('ERR_TOOL_INPUT', { message: `The system refused it: ${message}.`, hint, cause: thrown })
}

/**
 * Ends the process when it is interrupted: exit handlers end what was started and remove what is temporary. Files are
 * delivered in one synchronous step, which a signal does not interrupt. A command with a handler of its own decides
 * itself.
 */
function exitOnSignals(done: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) > 1) return
      done()
      console.error(`Interrupted by ${signal}.`)
      process.exit(EXIT.signal + constants.signals[signal])
    })
  }
}
