/** The steps of a JSON Patch on a document: what they cost, and how to take them back. */
import { maxDepth, sizeOf } from '../../json-size.ts'
import { LimitError, type PatchScope, type Undo } from './patch-scope.ts'

type Container = Record<string | number, unknown>

/** A path of RFC 6901, in its parts. */
export type Path = readonly string[]

/** Thrown if an operation does not apply. */
export class PatchError extends Error {}

/** The member `key` of `root`, while one patch is applied to it. */
export interface PatchTarget {
  readonly root: object
  readonly key: string
  readonly scope: PatchScope
  /** Takes back each step; the last step is taken back first. */
  readonly undone: Undo[]
  /** Bytes by which the document may have grown. */
  grown: number
}

/** Takes back all steps. */
export function undoAll({ undone }: PatchTarget): void {
  for (let step = undone.pop(); step !== undefined; step = undone.pop()) step()
}

/** The value at a path. @throws PatchError if there is none */
export function readAt({ root, key }: PatchTarget, path: Path): unknown {
  let value = (root as Container)[key]
  for (const token of path) value = child(value, token)
  return value
}

/** Adds a value that is in the document already. */
function addAt(target: PatchTarget, path: Path, value: unknown): void {
  const [parent, token] = open(target, path)
  if (Array.isArray(parent)) {
    const at = token === '-' ? parent.length : index(token, parent.length)
    spend(target, (parent.length - at) >> 6)
    parent.splice(at, 0, value)
    target.undone.push(() => void parent.splice(at, 1))
  } else put(target, parent, token, value)
}

/** Adds a value that the patch brings. */
export function insertAt(target: PatchTarget, path: Path, value: unknown): void {
  grow(target, value, path)
  addAt(target, path, value)
}

/** Replaces the value at a path. */
export function replaceAt(target: PatchTarget, path: Path, value: unknown): void {
  const [parent, token] = open(target, path)
  child(parent, token)
  grow(target, value, path)
  put(target, parent, token, value)
}

/** Removes the value at a path. */
export function removeAt(target: PatchTarget, path: Path): void {
  const [parent, token] = open(target, path)
  const before = child(parent, token)
  if (Array.isArray(parent)) {
    const at = Number(token)
    spend(target, (parent.length - at) >> 6)
    parent.splice(at, 1)
    target.undone.push(() => void parent.splice(at, 0, before))
  } else if (path.length === 0) {
    // Removing the whole document leaves null: there is no JSON text for nothing.
    put(target, parent, token, null)
  } else {
    delete parent[token]
    target.undone.push(() => void (parent[token] = before))
  }
}

/** Copies a value to another path. */
export function copyTo(target: PatchTarget, source: Path, path: Path): void {
  const value = readAt(target, source)
  spend(target, grow(target, value, path) >> 5)
  // The value is in two places from here on: neither may be changed in place.
  target.scope.owned = new WeakSet()
  addAt(target, path, value)
}

/** Moves a value to another path. */
export function moveTo(target: PatchTarget, source: Path, path: Path): void {
  const value = readAt(target, source)
  if (path.length > source.length) {
    // The value may be nested too deep at its new place.
    const size = sizeOf(value, undefined, maxDepth - path.length)
    if (size === Infinity) throw new LimitError('size')
    spend(target, size >> 5)
  }
  removeAt(target, source)
  addAt(target, path, value)
}

/**
 * Whether a value is the one that the patch gives. Elements of `given` are paid for by the bytes of the patch, so only other
 * elements that are compared cost work.
 */
export function isEqual(target: PatchTarget, value: unknown, given: unknown): boolean {
  if (value === given) return true
  if (typeof value !== 'object' || typeof given !== 'object' || value === null || given === null) return false
  if (Array.isArray(value)) {
    return (
      Array.isArray(given) &&
      value.length === given.length &&
      given.every((item, at) => isEqual(target, value[at], item))
    )
  }
  if (Array.isArray(given)) return false
  const keys = Object.keys(given)
  const here = Object.keys(value).length
  spend(target, here)
  return (
    keys.length === here &&
    keys.every(
      (name) => Object.hasOwn(value, name) && isEqual(target, (value as Container)[name], (given as Container)[name]),
    )
  )
}

/** Finds the container that holds the last token of a path. Every container on the way is copied unless it is owned. */
function open(target: PatchTarget, path: Path): readonly [Container, string] {
  const { owned } = target.scope
  let parent = target.root as Container
  let token = target.key
  for (const next of path) {
    let value = child(parent, token)
    if (typeof value !== 'object' || value === null) throw new PatchError()
    // A member called __proto__ would change the prototype of the document.
    if (next === '__proto__' && !Array.isArray(value)) throw new PatchError()
    if (!owned.has(value)) {
      const [holds, at, before] = [parent, token, value]
      spend(target, Array.isArray(value) ? value.length >> 4 : Object.keys(value).length)
      value = Array.isArray(value) ? value.slice() : { ...value }
      owned.add(value as object)
      holds[at] = value
      target.undone.push(() => void (holds[at] = before))
    }
    parent = value as Container
    token = next
  }
  return [parent, token]
}

function put({ undone }: PatchTarget, parent: Container, token: string, value: unknown): void {
  const before = parent[token]
  const had = Object.hasOwn(parent, token)
  parent[token] = value
  undone.push(() => {
    if (had) parent[token] = before
    else delete parent[token]
  })
}

/** Counts the bytes of a value that is added; returns them. */
function grow(target: PatchTarget, value: unknown, path: Path): number {
  const { maxGrowth } = target.scope
  const size = sizeOf(value, maxGrowth - target.grown, maxDepth - path.length)
  target.grown += size + sizeOf(path.at(-1) ?? '')
  if (target.grown > maxGrowth) throw new LimitError('size')
  return size
}

function spend({ scope }: PatchTarget, elements: number): void {
  if ((scope.work -= elements) < 0) throw new LimitError('work')
}

function child(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return value[index(token, value.length - 1)]
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) throw new PatchError()
  return (value as Container)[token]
}

function index(token: string, max: number): number {
  const position = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : -1
  if (position < 0 || position > max) throw new PatchError()
  return position
}
