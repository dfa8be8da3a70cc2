/** Processes that a test starts and ends, each by its own id. */
export { type Child, type ChildExit, startChild } from '../../scripts/child.ts'
