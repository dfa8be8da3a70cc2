/** Processes that a test starts and ends, each by its own id. */
import { loaderArgs, root } from '../../scripts/build/paths.ts'
import { type Child, type ChildOptions, startChild as startProcess } from '../../scripts/child.ts'

export type { Child, ChildExit } from '../../scripts/child.ts'

/**
 * Starts a program as `startChild` of the scripts does. Tests start the same programs hundreds of times, so a program
 * with an environment of its own also shares what V8 has compiled, and Node loads sources of this project without their
 * types.
 */
export function startChild(command: string, options: ChildOptions = {}): Child {
  const { args = [], env } = options
  const { NODE_COMPILE_CACHE } = process.env
  const isLoaded = command === process.execPath && args.some(isSource)
  return startProcess(command, {
    ...options,
    ...(isLoaded && { args: [...loaderArgs, ...args] }),
    ...(env !== undefined && NODE_COMPILE_CACHE !== undefined && { env: { NODE_COMPILE_CACHE, ...env } }),
  })
}

/** Whether an argument is the path of a module of this project. */
function isSource(argument: string): boolean {
  return argument.endsWith('.ts') && (argument.startsWith(root) || !argument.startsWith('/'))
}
