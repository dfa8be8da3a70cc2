/** JSON Patch (RFC 6902), within limits and with a way back. */
import { MAX_DEPTH, sizeOf } from '../../json-size.ts'
import { clone } from '../message.ts'
import { type Container, copyContainer } from './copy-container.ts'
import { LimitError, type PatchScope, type Undo } from './patch-scope.ts'

/** One operation of RFC 6902, already checked for form. */
export interface PatchOperation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/**
 * Further work for each element of a container that a patch copied, if the patch is taken back: the next patch has to
 * copy it again.
 */
const ROLLBACK_WORK = 3

/** Thrown if an operation does not apply. */
class PatchError extends Error {}

/**
 * Applies a JSON Patch to the member `key` of `holder`. Returns by how many bytes the member may have grown, and how to
 * take the patch back. Returns undefined, and changes nothing, if an operation does not apply. Takes time in proportion
 * to the patch and the values that it copies, and once to each container that is not owned.
 * @throws LimitError
 */
export function applyPatch(
  holder: object,
  key: string,
  patch: readonly PatchOperation[],
  scope: PatchScope,
): { readonly grown: number; readonly undo: Undo } | undefined {
  const undone: Undo[] = []
  const undo = (): void => {
    while (undone.length > 0) undone.pop()!()
  }
  let grown = 0
  const root = holder as Container
  const spend = (elements: number): void => {
    if ((scope.work -= elements) < 0) throw new LimitError('work')
  }

  /**
   * Finds the container that holds the last token of a path. Every container on the way is copied unless it is owned.
   */
  const open = (path: readonly string[]): readonly [Container, string] => {
    let parent = root
    let token = key
    for (const next of path) {
      let value = child(parent, token)
      if (typeof value !== 'object' || value === null) throw new PatchError()
      // A member called __proto__ would change the prototype of the document.
      if (next === '__proto__' && !Array.isArray(value)) throw new PatchError()
      if (!scope.owned.has(value)) {
        const [holds, at, before] = [parent, token, value]
        const elements = Array.isArray(value) ? value.length >> 4 : Object.keys(value).length
        spend(elements)
        value = copyContainer(value)
        scope.owned.add(value as object)
        holds[at] = value
        undone.push(() => {
          holds[at] = before
          scope.work -= ROLLBACK_WORK * elements
        })
      }
      parent = value as Container
      token = next
    }
    return [parent, token]
  }
  const add = (path: readonly string[], value: unknown): void => {
    const [parent, token] = open(path)
    if (Array.isArray(parent)) {
      const at = token === '-' ? parent.length : index(token, parent.length)
      spend((parent.length - at) >> 6)
      parent.splice(at, 0, value)
      undone.push(() => void parent.splice(at, 1))
    } else put(parent, token, value)
  }
  const put = (parent: Container, token: string, value: unknown): void => {
    const before = parent[token]
    const had = Object.hasOwn(parent, token)
    parent[token] = value
    undone.push(() => {
      if (had) parent[token] = before
      else delete parent[token]
    })
  }
  const remove = (path: readonly string[]): void => {
    const [parent, token] = open(path)
    const before = child(parent, token)
    if (Array.isArray(parent)) {
      const at = Number(token)
      spend((parent.length - at) >> 6)
      parent.splice(at, 1)
      undone.push(() => void parent.splice(at, 0, before))
    } else if (path.length === 0) {
      // Removing the whole document leaves null: there is no JSON text for nothing.
      put(parent, token, null)
    } else {
      delete parent[token]
      undone.push(() => void (parent[token] = before))
    }
  }
  const read = (path: readonly string[]): unknown => {
    let value = root[key]
    for (const token of path) value = child(value, token)
    return value
  }
  const grow = (value: unknown, path: readonly string[]): number => {
    const size = sizeOf(value, scope.maxGrowth - grown, MAX_DEPTH - path.length)
    grown += size + sizeOf(path.at(-1) ?? '')
    if (grown > scope.maxGrowth) throw new LimitError('size')
    return size
  }

  try {
    for (const { op, path: pointer, from, value } of patch) {
      const path = tokens(pointer)
      if (op === 'test') {
        if (!isEqual(read(path), value, spend)) throw new PatchError()
      } else if (op === 'add') {
        grow(value, path)
        add(path, value)
      } else if (op === 'replace') {
        const [parent, token] = open(path)
        child(parent, token)
        grow(value, path)
        put(parent, token, value)
      } else if (op === 'remove') remove(path)
      else {
        const source = tokens(from ?? '')
        const moved = read(source)
        if (op === 'copy') {
          // A member that is undefined is not in the JSON text that readers have.
          if (moved === undefined) throw new PatchError()
          spend(grow(moved, path) >> 5)
          add(path, clone(moved))
        } else if (pointer.startsWith(`${from}/`)) {
          // A value cannot be moved into itself (RFC 6902 section 4.4).
          throw new PatchError()
        } else if (pointer !== from) {
          if (path.length > source.length) {
            // The value may be nested too deep at its new place.
            const size = sizeOf(moved, undefined, MAX_DEPTH - path.length)
            if (size === Infinity) throw new LimitError('size')
            spend(size >> 5)
          }
          remove(source)
          add(path, moved)
        }
      }
    }
    return { grown, undo }
  } catch (error) {
    undo()
    if (error instanceof PatchError) return undefined
    throw error
  }
}

function tokens(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function child(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return value[index(token, value.length - 1)]
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) throw new PatchError()
  return (value as Container)[token]
}

function index(token: string, max: number): number {
  if (!/^(?:0|[1-9]\d*)$/.test(token) || Number(token) > max) throw new PatchError()
  return Number(token)
}

/**
 * Elements of `patchValue` are paid for by the bytes of the patch, so only other elements that are compared cost work.
 */
function isEqual(value: unknown, patchValue: unknown, spend: (elements: number) => void): boolean {
  if (value === patchValue) return true
  if (typeof value !== 'object' || typeof patchValue !== 'object' || value === null || patchValue === null) return false
  if (Array.isArray(value)) {
    return (
      Array.isArray(patchValue) &&
      value.length === patchValue.length &&
      patchValue.every((item, at) => isEqual(value[at], item, spend))
    )
  }
  if (Array.isArray(patchValue)) return false
  const keys = Object.keys(patchValue)
  const here = Object.keys(value).length
  spend(here)
  return (
    keys.length === here &&
    keys.every(
      (name) =>
        Object.hasOwn(value, name) && isEqual((value as Container)[name], (patchValue as Container)[name], spend),
    )
  )
}
