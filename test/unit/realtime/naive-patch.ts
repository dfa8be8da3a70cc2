/** JSON Patch as in RFC 6902, regardless of cost: the reference for the real implementation. */
import fc from 'fast-check'
import type { PatchOperation } from '../../../plugins/realtime/runs/patch/json-patch.ts'

type Node = Record<string, unknown>
const own = (value: unknown, token: string): boolean =>
  Array.isArray(value)
    ? /^(0|[1-9]\d*)$/.test(token) && Number(token) < value.length
    : typeof value === 'object' && value !== null && Object.hasOwn(value, token)

function at(document: unknown, path: readonly string[]): unknown {
  let value = document
  for (const token of path) {
    if (!own(value, token)) throw new Error('nothing there')
    value = (value as Node)[token]
  }
  return value
}

function same(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.keys(value)
            .sort()
            .map((key) => [key, sorted((value as Node)[key])])
            .concat([['', typeof value]])
        : value
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

/** The document after a patch. Returns undefined if the patch does not apply. */
export function naivePatch(document: unknown, patch: readonly PatchOperation[]): { value: unknown } | undefined {
  let value: unknown = structuredClone(document)
  const split = (pointer: string): string[] =>
    pointer
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  const put = (path: readonly string[], given: unknown, insert: boolean): void => {
    if (path.length === 0) {
      value = given
      return
    }
    if (path.includes('__proto__')) throw new Error('not a member')
    const parent = at(value, path.slice(0, -1))
    const token = path.at(-1)!
    if (typeof parent !== 'object' || parent === null) throw new Error('no container')
    if (!insert && !own(parent, token)) throw new Error('nothing there')
    if (!Array.isArray(parent)) (parent as Node)[token] = given
    else if (!insert) parent[Number(token)] = given
    else if (token === '-') parent.push(given)
    else if (own(parent, token) || token === String(parent.length)) parent.splice(Number(token), 0, given)
    else throw new Error('no place')
  }
  const take = (path: readonly string[]): void => {
    if (path.length === 0) {
      value = null
      return
    }
    if (path.includes('__proto__')) throw new Error('not a member')
    at(value, path)
    const parent = at(value, path.slice(0, -1))
    if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1)
    else delete (parent as Node)[path.at(-1)!]
  }
  try {
    for (const { op, path: pointer, from = '', value: given } of structuredClone(patch)) {
      const path = split(pointer)
      if (op === 'add') put(path, given, true)
      else if (op === 'replace') put(path, given, false)
      else if (op === 'remove') take(path)
      else if (op === 'test') {
        if (!same(at(value, path), given)) throw new Error('differs')
      } else {
        const moved = structuredClone(at(value, split(from)))
        if (op === 'move') {
          if (pointer.startsWith(`${from}/`)) throw new Error('into itself')
          if (pointer !== from) take(split(from))
        }
        if (op === 'copy' || pointer !== from) put(path, moved, true)
      }
    }
    return { value }
  } catch {
    return undefined
  }
}

const key = fc.constantFrom('a', 'b', 'l', '0', '1', '', 'a/b', 'm~n', '__proto__', 'constructor', '-')

/** JSON values with a few members. */
export const smallJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 0, 1, 'x', true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      key.filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value

const pointer = fc
  .array(key, { maxLength: 3 })
  .map((path) => path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))

/** Patches that often apply. */
export const patches: fc.Arbitrary<readonly PatchOperation[]> = fc.array(
  fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value: smallJson }),
    fc.record({ op: fc.constant('remove'), path: pointer }),
    fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }),
  ),
  { maxLength: 5 },
)
