/** Calls of tools: checked against the schema, done one change after another, answered as text and as data. */
import { CommandRefusal } from '../../../core/command.ts'
import { toJsonText } from '../../../core/printable.ts'
import { checkInput } from './check-input.ts'
import type { ToolError } from './errors.ts'
import { toToolError } from './errors.ts'
import { type Input, type ToolContext, tools } from './tools.ts'

/** The answer of a call, as MCP has it. */
export type CallAnswer = {
  content: [{ type: 'text'; text: string }]
  structuredContent: Record<string, unknown>
  isError?: true
}

/** Calls a tool by name; undefined where there is none. */
export type CallTool = (name: string, input: unknown) => Promise<CallAnswer> | undefined

/** Makes the calls of one server. `failed` hears what is no refusal. */
export function createCalls(context: ToolContext, failed: (error: unknown) => void): CallTool {
  const known = new Map(tools.map((tool) => [tool.name, tool]))
  // A device that signs two commands at once makes branches of its own, of which it may have few.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  return (name, input = {}) => {
    const tool = known.get(name)
    if (tool === undefined) return undefined
    const work = async (): Promise<CallAnswer> => {
      try {
        const wrong = checkInput(input, tool.inputSchema)
        if (wrong !== undefined) throw new CommandRefusal('input_invalid', wrong)
        return answer(await tool.run(input as Input, context))
      } catch (error) {
        const told: ToolError = toToolError(error)
        if (told.code === 'internal_error') failed(error)
        return { ...answer({ error: told }), isError: true }
      }
    }
    return tool.reads ? work() : inTurn(work)
  }
}

function answer(value: Readonly<Record<string, unknown>>): CallAnswer {
  return { content: [{ type: 'text', text: toJsonText(value) }], structuredContent: value }
}
