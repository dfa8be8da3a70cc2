/** The document that a JSON Patch changes: its steps, what they cost, and how to take them back. */
import { maxDepth, sizeOf } from '../../json-size.ts'
import { LimitError, type PatchScope, type Undo } from './patch-scope.ts'

type Container = Record<string | number, unknown>

/** A path of RFC 6901, in its parts. */
export type Path = readonly string[]

/** Thrown if an operation does not apply. */
export class PatchError extends Error {}

/** The member `key` of `holder`, while one patch is applied to it. */
export class PatchTarget {
  readonly #root: Container
  readonly #key: string
  readonly #scope: PatchScope
  readonly #undone: Undo[] = []
  #grown = 0

  constructor(holder: object, key: string, scope: PatchScope) {
    this.#root = holder as Container
    this.#key = key
    this.#scope = scope
  }

  /** Bytes by which the document may have grown. */
  get grown(): number {
    return this.#grown
  }

  /** Takes back all steps, the last first. */
  undo(): void {
    for (let step = this.#undone.pop(); step !== undefined; step = this.#undone.pop()) step()
  }

  read(path: Path): unknown {
    let value = this.#root[this.#key]
    for (const token of path) value = child(value, token)
    return value
  }

  add(path: Path, value: unknown): void {
    const [parent, token] = this.#open(path)
    if (Array.isArray(parent)) {
      const at = token === '-' ? parent.length : index(token, parent.length)
      this.#spend((parent.length - at) >> 6)
      parent.splice(at, 0, value)
      this.#undone.push(() => void parent.splice(at, 1))
    } else this.#put(parent, token, value)
  }

  replace(path: Path, value: unknown): void {
    const [parent, token] = this.#open(path)
    child(parent, token)
    this.#grow(value, path)
    this.#put(parent, token, value)
  }

  /** Adds a value that the patch brings. */
  insert(path: Path, value: unknown): void {
    this.#grow(value, path)
    this.add(path, value)
  }

  remove(path: Path): void {
    const [parent, token] = this.#open(path)
    const before = child(parent, token)
    if (Array.isArray(parent)) {
      const at = Number(token)
      this.#spend((parent.length - at) >> 6)
      parent.splice(at, 1)
      this.#undone.push(() => void parent.splice(at, 0, before))
    } else if (path.length === 0) {
      // Removing the whole document leaves null: there is no JSON text for nothing.
      this.#put(parent, token, null)
    } else {
      delete parent[token]
      this.#undone.push(() => void (parent[token] = before))
    }
  }

  copy(source: Path, path: Path): void {
    const value = this.read(source)
    this.#spend(this.#grow(value, path) >> 5)
    // The value is in two places from here on: neither may be changed in place.
    this.#scope.owned = new WeakSet()
    this.add(path, value)
  }

  move(source: Path, path: Path): void {
    const value = this.read(source)
    if (path.length > source.length) {
      // The value may be nested too deep at its new place.
      const size = sizeOf(value, undefined, maxDepth - path.length)
      if (size === Infinity) throw new LimitError('size')
      this.#spend(size >> 5)
    }
    this.remove(source)
    this.add(path, value)
  }

  /** @throws PatchError if the value at a path is not the given one */
  test(path: Path, value: unknown): void {
    if (!this.#isEqual(this.read(path), value)) throw new PatchError()
  }

  /** Finds the container that holds the last token of a path. Every container on the way is copied unless it is owned. */
  #open(path: Path): readonly [Container, string] {
    const { owned } = this.#scope
    let parent = this.#root
    let token = this.#key
    for (const next of path) {
      let value = child(parent, token)
      if (typeof value !== 'object' || value === null) throw new PatchError()
      // A member called __proto__ would change the prototype of the document.
      if (next === '__proto__' && !Array.isArray(value)) throw new PatchError()
      if (!owned.has(value)) {
        const [holds, at, before] = [parent, token, value]
        this.#spend(Array.isArray(value) ? value.length >> 4 : Object.keys(value).length)
        value = Array.isArray(value) ? value.slice() : { ...value }
        owned.add(value as object)
        holds[at] = value
        this.#undone.push(() => void (holds[at] = before))
      }
      parent = value as Container
      token = next
    }
    return [parent, token]
  }

  #put(parent: Container, token: string, value: unknown): void {
    const before = parent[token]
    const had = Object.hasOwn(parent, token)
    parent[token] = value
    this.#undone.push(() => {
      if (had) parent[token] = before
      else delete parent[token]
    })
  }

  /** Counts the bytes of a value that is added; returns them. */
  #grow(value: unknown, path: Path): number {
    const size = sizeOf(value, this.#scope.maxGrowth - this.#grown, maxDepth - path.length)
    this.#grown += size + sizeOf(path.at(-1) ?? '')
    if (this.#grown > this.#scope.maxGrowth) throw new LimitError('size')
    return size
  }

  #spend(elements: number): void {
    if ((this.#scope.work -= elements) < 0) throw new LimitError('work')
  }

  /** `given` is part of the patch and paid for by its bytes, so only other elements that are compared cost work. */
  #isEqual(value: unknown, given: unknown): boolean {
    if (value === given) return true
    if (typeof value !== 'object' || typeof given !== 'object' || value === null || given === null) return false
    if (Array.isArray(value)) {
      return (
        Array.isArray(given) &&
        value.length === given.length &&
        given.every((item, at) => this.#isEqual(value[at], item))
      )
    }
    if (Array.isArray(given)) return false
    const keys = Object.keys(given)
    const here = Object.keys(value).length
    this.#spend(here)
    return (
      keys.length === here &&
      keys.every(
        (name) => Object.hasOwn(value, name) && this.#isEqual((value as Container)[name], (given as Container)[name]),
      )
    )
  }
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
