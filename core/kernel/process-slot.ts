/**
 * A value that exists once in a process. The first component that registers a value keeps the place. Copies of this
 * code share the value and count its users.
 */

/** A share of the value. */
export interface Share<T> {
  readonly value: T
  /** Releases the share. The last release frees the place. Further calls do nothing. */
  release(): void
}

/**
 * The value at the symbol. It is recognised by brand and version, because another copy of this code may have put it
 * there.
 */
interface Installation<T> {
  readonly brand: 'svc'
  readonly version: 1
  hold(): Share<T>
}

/**
 * A share of the value at `place[Symbol.for(name)]`, which `create` makes if there is none. Returns undefined if
 * another component has the place. `place` is `globalThis`, which the feature that declares its use passes. The value
 * at the place is frozen and cannot be overwritten. An incompatible change of `T` needs another name, because another
 * copy of this code may run in the process.
 */
export function shareInProcess<T>(place: object, name: string, create: () => T): Share<T> | undefined {
  const slot = Symbol.for(name)
  const present: unknown = Reflect.get(place, slot)
  if (present !== undefined) return isOurs<T>(present) ? present.hold() : undefined
  const value = create()
  let holders = 0
  const hold = (): Share<T> => {
    holders++
    let held = true
    const release = (): void => {
      if (!held) return
      held = false
      if (--holders === 0) Reflect.deleteProperty(place, slot)
    }
    return { value, release }
  }
  const installation: Installation<T> = Object.freeze({ brand: 'svc', version: 1, hold })
  Object.defineProperty(place, slot, { value: installation, configurable: true })
  return hold()
}

function isOurs<T>(value: unknown): value is Installation<T> {
  if (typeof value !== 'object' || value === null) return false
  const { brand, version, hold } = value as Partial<Installation<T>>
  return brand === 'svc' && version === 1 && typeof hold === 'function'
}
