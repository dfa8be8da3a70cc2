/** JSON Patch (RFC 6902), within limits and with a way back. */
import type { PatchScope, Undo } from './patch-scope.ts'
import { PatchError, type PatchTarget, type Path } from './patch-target.ts'

/** One operation of RFC 6902, already checked for form. */
export interface PatchOperation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/**
 * Applies a JSON Patch to the member `key` of `holder`. Returns by how many bytes the member may have grown, and how to take
 * the patch back. Returns undefined, and changes nothing, if an operation does not apply. Takes time in proportion to the patch,
 * and once to each container that is not owned.
 * @throws LimitError
 */
export function applyPatch(
  holder: object,
  key: string,
  patch: readonly PatchOperation[],
  scope: PatchScope,
): { readonly grown: number; readonly undo: Undo } | undefined {
  const target: PatchTarget = { root: holder, key, scope, undone: [], grown: 0 }
  const undo = (): void => undoAll(target)
  try {
    for (const operation of patch) applyOperation(target, operation)
    return { grown: target.grown, undo }
  } catch (error) {
    undo()
    if (error instanceof PatchError) return undefined
    throw error
  }
}

function applyOperation(target: PatchTarget, { op, path: pointer, from = '', value }: PatchOperation): void {
  const path = toPath(pointer)
  if (op === 'test') {
    if (!isEqual(target, readAt(target, path), value)) throw new PatchError()
  } else if (op === 'add') insertAt(target, path, value)
  else if (op === 'replace') replaceAt(target, path, value)
  else if (op === 'remove') removeAt(target, path)
  else if (op === 'copy') copyTo(target, toPath(from), path)
  else if (pointer === from) readAt(target, path)
  else {
    // A value cannot be moved into itself (RFC 6902 section 4.4).
    if (pointer.startsWith(`${from}/`)) throw new PatchError()
    moveTo(target, toPath(from), path)
  }
}

function toPath(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
