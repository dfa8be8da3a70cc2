/** JSON Patch (RFC 6902) on values that are never changed: what a patch does not touch is shared with the value before it. */

/** One operation. The service has checked its form. */
export interface PatchOperation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/** Returns the value after the operations. Throws a `RangeError` where one of them does not apply. */
export function applyPatch(value: unknown, operations: readonly PatchOperation[]): unknown {
  return operations.reduce(applyOne, value)
}

function applyOne(value: unknown, { op, path, from, value: given }: PatchOperation): unknown {
  const tokens = tokensOf(path)
  switch (op) {
    case 'add':
      return changed(value, tokens, (parent, token) => added(parent, token, given), given)
    case 'replace':
      return changed(value, tokens, (parent, token) => replaced(parent, token, given), given)
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
      // The service has evaluated it.
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

/** Applies a change to the container of the last token, and copies every container above it. Without tokens the result is `whole`. */
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
  if (!(at <= parent.length)) throw new RangeError(`"${token}" is behind the end of the array.`)
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

/** A copy with one member set, in its place if it is there, and as a member of its own also if it is called `__proto__`. */
function withMember(parent: object, token: string, value: unknown): object {
  const members = Object.entries(parent)
  return Object.fromEntries(
    Object.hasOwn(parent, token)
      ? members.map(([name, before]) => [name, name === token ? value : before])
      : [...members, [token, value]],
  )
}
