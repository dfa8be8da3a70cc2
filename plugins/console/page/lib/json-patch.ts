/** JSON Patches (RFC 6902) on values that are never changed in place: what a patch leaves alone stays the same object. */

/** An operation, as far as the service sends them. */
export interface Operation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
}

type Container = Record<string, unknown> | unknown[]

/**
 * The value after the operations. `copied` are the containers that were made since the last value was handed out: they are changed
 * in place, so that many patches in a row copy a large object once. Throws a `RangeError` where a path leads nowhere.
 */
export function applyPatch<T>(value: T, operations: readonly Operation[], copied: WeakSet<object> = new WeakSet()): T {
  let root: unknown = value
  for (const operation of operations) {
    const names = operation.path.split('/').slice(1).map(unescaped)
    if (names.length === 0) root = operation.value
    else root = changed(root, names, operation, copied)
  }
  return root as T
}

function changed(
  value: unknown,
  [name, ...rest]: readonly string[],
  operation: Operation,
  copied: WeakSet<object>,
): unknown {
  if (typeof value !== 'object' || value === null || name === undefined) throw nowhere(operation)
  const own = ownCopy(value as Container, copied)
  if (rest.length > 0) set(own, name, changed(get(own, name, operation), rest, operation, copied), operation)
  else if (Array.isArray(own)) changeArray(own, name, operation)
  else if (operation.op === 'remove') {
    if (!Object.hasOwn(own, name)) throw nowhere(operation)
    delete own[name]
  } else define(own, name, operation.value)
  return own
}

function ownCopy(value: Container, copied: WeakSet<object>): Container {
  if (copied.has(value)) return value
  const own = Array.isArray(value) ? [...value] : { ...value }
  copied.add(own)
  return own
}

function changeArray(array: unknown[], name: string, operation: Operation): void {
  const at = name === '-' ? array.length : Number(name)
  const last = operation.op === 'add' ? array.length : array.length - 1
  if (!/^(?:-|0|[1-9]\d*)$/.test(name) || at > last) throw nowhere(operation)
  if (operation.op === 'add') array.splice(at, 0, operation.value)
  else if (operation.op === 'remove') array.splice(at, 1)
  else array[at] = operation.value
}

function get(container: Container, name: string, operation: Operation): unknown {
  if (!Object.hasOwn(container, name)) throw nowhere(operation)
  return (container as Record<string, unknown>)[name]
}

function set(container: Container, name: string, value: unknown, operation: Operation): void {
  if (Array.isArray(container)) changeArray(container, name, { ...operation, op: 'replace', value })
  else define(container, name, value)
}

/** A member of any name, `__proto__` too. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

function nowhere({ op, path }: Operation): RangeError {
  return new RangeError(`The patch cannot ${op} ${path}.`)
}
