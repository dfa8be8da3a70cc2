/** Processes that a test starts and ends, each by its own id. */
export { type Child, type ChildExit, type ChildOptions, startChild } from '../../scripts/child.ts'
