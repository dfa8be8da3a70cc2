/** Applies JSON Patch (RFC 6902) to immutable values: the result shares every unchanged part with the value before. */

/** One operation. The service has checked its form. */
export interface PatchOperation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/** Returns the value after the operations. Throws a `RangeError` if an operation cannot be applied. */
export function applyPatch(value: unknown, operations: readonly PatchOperation[]): unknown {
  return operations.reduce(applyOne, value)
}

function applyOne(value: unknown, { op, path, from, value: operand }: PatchOperation): unknown {
  const tokens = tokensOf(path)
  switch (op) {
    case 'add':
      return changed(value, tokens, (parent, token) => added(parent, token, operand), operand)
    case 'replace':
      return changed(value, tokens, (parent, token) => replaced(parent, token, operand), operand)
    case 'remove':
      return changed(value, tokens, removed, null)
    case 'move': {
      const source = required(from)
      const moved = read(value, tokensOf(source))
      return applyOne(applyOne(value, { op: 'remove', path: source }), { op: 'add', path, value: moved })
    }
    case 'copy':
      return applyOne(value, { op: 'add', path, value: read(value, tokensOf(required(from))) })
    case 'test':
      // The service has evaluated the test.
      return value
    default:
      throw new RangeError(`JSON Patch has no operation ${op}.`)
  }
}

function required(from: string | undefined): string {
  if (from === undefined) throw new RangeError('An operation has no member `from`.')
  return from
}

/** The reference tokens of a JSON Pointer (RFC 6901). */
function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

type Change = (parent: object, token: string) => unknown

/**
 * Applies a change to the container of the last token, and copies each container above. Returns `whole` if there are no
 * tokens.
 */
function changed(value: unknown, [token, ...rest]: readonly string[], change: Change, whole: unknown): unknown {
  if (token === undefined) return whole
  if (typeof value !== 'object' || value === null) throw new RangeError(`There is nothing at "${token}".`)
  if (rest.length === 0) return change(value, token)
  return replaced(value, token, changed(memberOf(value, token), rest, change, whole))
}

function memberOf(parent: object, token: string): unknown {
  if (!Object.hasOwn(parent, token)) throw new RangeError(`There is nothing at "${token}".`)
  return (parent as Record<string, unknown>)[token]
}

function read(value: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>((at, token) => {
    if (typeof at !== 'object' || at === null) throw new RangeError(`There is nothing at "${token}".`)
    return memberOf(at, token)
  }, value)
}

function added(parent: object, token: string, value: unknown): unknown {
  if (!Array.isArray(parent)) return withMember(parent, token, value)
  const at = token === '-' ? parent.length : Number(token)
  if (!(at <= parent.length)) throw new RangeError(`"${token}" is after the end of the array.`)
  return parent.toSpliced(at, 0, value)
}

function replaced(parent: object, token: string, value: unknown): unknown {
  memberOf(parent, token)
  return Array.isArray(parent) ? parent.with(Number(token), value) : withMember(parent, token, value)
}

function removed(parent: object, token: string): unknown {
  memberOf(parent, token)
  if (Array.isArray(parent)) return parent.toSpliced(Number(token), 1)
  const { [token]: _, ...rest } = parent as Record<string, unknown>
  return rest
}

/** A copy with one member set. An existing member keeps its position. `__proto__` becomes an ordinary member, too. */
function withMember(parent: object, token: string, value: unknown): object {
  return { ...parent, [token]: value }
}
