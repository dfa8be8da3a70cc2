/** An object or a list of a JSON value. */
export type Container = Record<string | number, unknown>

/**
 * Objects with at least this many members are copied one member after the other, which is faster than a spread there.
 */
const many = 512

/** Members that are looked at between two pauses: a fraction of a millisecond. */
const step = 1_000

/** Copies a container, and shares what is in it. */
export function copyContainer(value: object): Container {
  if (Array.isArray(value)) return value.slice() as object as Container
  const keys = Object.keys(value)
  if (keys.length < many) return { ...value }
  const copy: Container = {}
  for (const key of keys) setOwn(copy, key, (value as Container)[key])
  return copy
}

/**
 * Copies the large containers of a JSON value and those around them, with pauses, so that no later change has to copy
 * one of them at once. Returns the value with the copies, each of which is added to `owned`. Everything else is shared.
 */
export function* copyLarge(value: unknown, owned: WeakSet<object>): Generator<undefined, unknown> {
  if (typeof value !== 'object' || value === null) return value
  const from = value as Container
  const keys = Array.isArray(value) ? undefined : Object.keys(value)
  const length = keys?.length ?? (value as readonly unknown[]).length
  let copy: Container | undefined = length < many ? undefined : Array.isArray(value) ? copyContainer(value) : {}
  const isFilled = keys === undefined || copy === undefined
  for (let at = 0; at < length; at++) {
    if (at % step === step - 1) yield
    const key = keys?.[at] ?? at
    const member = from[key]
    const memberCopy = typeof member === 'object' && member !== null ? yield* copyLarge(member, owned) : member
    if (isFilled && memberCopy === member) continue
    copy ??= copyContainer(value)
    setOwn(copy, key, memberCopy)
  }
  if (copy === undefined) return value
  owned.add(copy)
  return copy
}

/** Sets a member. One called `__proto__` would otherwise change the prototype. */
function setOwn(container: Container, key: string | number, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
  else container[key] = value
}
