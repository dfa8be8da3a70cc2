/** One operation of RFC 6902, already checked for form. */
export interface PatchOperation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/** How many values `copy` may still multiply; a document that copies itself into itself doubles with each operation. */
export interface CopyBudget {
  left: number
}

/** Thrown where an operation does not apply; the document is then as before. */
class PatchError extends Error {}

/**
 * Applies a JSON Patch (RFC 6902) and returns the new document; the given one is never changed, unchanged parts are
 * shared. Returns undefined where an operation does not apply: then nothing of the patch counts.
 */
export function applyPatch(
  document: unknown,
  patch: readonly PatchOperation[],
  budget: CopyBudget,
): { value: unknown } | undefined {
  try {
    let value = document
    for (const operation of patch) value = applyOne(value, operation, budget)
    return { value }
  } catch (error) {
    // A RangeError is a document nested deeper than the stack.
    if (error instanceof PatchError || error instanceof RangeError) return undefined
    throw error
  }
}

function applyOne(document: unknown, operation: PatchOperation, budget: CopyBudget): unknown {
  const path = tokens(operation.path)
  switch (operation.op) {
    case 'add':
      return edit(document, path, 0, 'add', operation.value)
    case 'replace':
      return edit(document, path, 0, 'replace', operation.value)
    case 'remove':
      // Removing the whole document leaves null: there is no JSON text for nothing.
      return path.length === 0 ? null : edit(document, path, 0, 'remove')
    case 'test':
      if (!isEqual(read(document, path), operation.value)) throw new PatchError()
      return document
    case 'copy': {
      const copied = read(document, tokens(operation.from ?? ''))
      if ((budget.left -= weigh(copied, budget.left)) < 0) throw new PatchError()
      return edit(document, path, 0, 'add', copied)
    }
    default: {
      const from = tokens(operation.from ?? '')
      const moved = read(document, from)
      // Into its own inside: RFC 6902 4.4 forbids it.
      if (operation.path.startsWith(`${operation.from}/`)) throw new PatchError()
      if (operation.from === operation.path) return document
      return edit(from.length === 0 ? null : edit(document, from, 0, 'remove'), path, 0, 'add', moved)
    }
  }
}

function tokens(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(document: unknown, path: readonly string[]): unknown {
  let value = document
  for (const token of path) value = child(value, token)
  return value
}

function child(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return value[index(token, value.length - 1)]
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) throw new PatchError()
  return (value as Record<string, unknown>)[token]
}

function edit(
  value: unknown,
  path: readonly string[],
  at: number,
  action: 'add' | 'replace' | 'remove',
  given?: unknown,
): unknown {
  if (at === path.length) return given
  const token = path[at]!
  const last = at === path.length - 1
  if (Array.isArray(value)) {
    const copy = [...value]
    if (!last) {
      const position = index(token, value.length - 1)
      copy[position] = edit(copy[position], path, at + 1, action, given)
    } else if (action === 'add') copy.splice(token === '-' ? value.length : index(token, value.length), 0, given)
    else if (action === 'remove') copy.splice(index(token, value.length - 1), 1)
    else copy[index(token, value.length - 1)] = given
    return copy
  }
  if (typeof value !== 'object' || value === null) throw new PatchError()
  // A member called __proto__ would change what the document is, not what it holds.
  if (token === '__proto__') throw new PatchError()
  const copy: Record<string, unknown> = { ...value }
  if (!last) copy[token] = edit(child(value, token), path, at + 1, action, given)
  else {
    if (action !== 'add') child(value, token)
    if (action === 'remove') delete copy[token]
    else copy[token] = given
  }
  return copy
}

function index(token: string, max: number): number {
  const position = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : -1
  if (position < 0 || position > max) throw new PatchError()
  return position
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) && isEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  )
}

function weigh(value: unknown, limit: number): number {
  if (typeof value === 'string') return 1 + (value.length >> 6)
  if (typeof value !== 'object' || value === null) return 1
  let weight = 1
  for (const part of Object.values(value)) {
    if (weight > limit) break
    weight += weigh(part, limit - weight)
  }
  return weight
}
