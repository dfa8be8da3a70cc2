/** Which results of tools are errors. */
import { isObject } from '../../../../../core/kernel/values.ts'

/**
 * Whether the result of a tool says that the tool failed: by a member that agents and MCP servers use, or by its first
 * word.
 */
export function isErrorResult(result: string): boolean {
  if (/^\s*(?:error|exception)\b/i.test(result)) return true
  let value: unknown
  try {
    value = JSON.parse(result)
  } catch {
    return false
  }
  if (!isObject(value)) return false
  const { error, isError, is_error, status, ok, success } = value
  return (
    (error !== undefined && error !== null && error !== false && error !== '') ||
    isError === true ||
    is_error === true ||
    status === 'error' ||
    ok === false ||
    success === false
  )
}
