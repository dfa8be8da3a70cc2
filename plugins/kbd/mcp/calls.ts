/**
 * Calls of tools. An input is checked against its schema, changes run one after another, and an answer is text and
 * data.
 */
import { CommandRefusal } from '../../../core/declare/command.ts'
import { toJsonText } from '../../../core/kernel/printable.ts'
import { createSerialQueue } from '../../../core/kernel/serial-queue.ts'
import { checkInput } from './check-input.ts'
import { type ToolError, toToolError } from './errors.ts'
import type { Input, ToolContext } from './tool.ts'
import { tools } from './tools.ts'
import { viewClaim } from './views.ts'

/** The answer to a call (MCP, "Tool Result"). */
export type CallAnswer = {
  content: [{ type: 'text'; text: string }]
  structuredContent: Record<string, unknown>
  isError?: true
}

/**
 * Calls a tool by name. Returns undefined if there is no such tool. A call that was cancelled before its turn does
 * nothing.
 */
export type CallTool = (name: string, input: unknown, signal?: AbortSignal) => Promise<CallAnswer> | undefined

/** Makes the calls of one server. `failed` is called with every error that is no refusal. */
export function createCalls(context: ToolContext, failed: (error: unknown) => void): CallTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  // A device that signs two commands at once forks its own history, and the number of its branches is limited.
  const inTurn = createSerialQueue()
  return (name, input = {}, signal) => {
    const tool = byName.get(name)
    if (tool === undefined) return undefined
    const work = async (): Promise<CallAnswer> => {
      try {
        const wrong = checkInput(input, tool.inputSchema)
        if (wrong !== undefined) throw new CommandRefusal('input_invalid', wrong)
        if (signal?.aborted === true) throw new CommandRefusal('cancelled', 'The call was cancelled.')
        // Those of a call that failed after its first command are not of this call.
        if (!tool.reads) context.takeHeld()
        const value = await tool.run(input as Input, context)
        if (tool.reads) return answer(value)
        const holders = context.takeHeld().map((claim) => viewClaim(claim, context.board.keyId()))
        return answer(holders.length === 0 ? value : { ...value, holders })
      } catch (error) {
        const toolError: ToolError = toToolError(error)
        if (toolError.code === 'internal_error') failed(error)
        return { ...answer({ error: toolError }), isError: true }
      }
    }
    return tool.reads ? work() : inTurn(work)
  }
}

function answer(value: Readonly<Record<string, unknown>>): CallAnswer {
  return { content: [{ type: 'text', text: toJsonText(value) }], structuredContent: value }
}
