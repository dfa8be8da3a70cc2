/** Chooses the code that asks for a place which a target does not give. */
import { existsSync } from 'node:fs'
import { dirname, posix, resolve } from 'node:path'
import { carriedSource } from '../../generate/carried.ts'
import { assetFiles } from '../../pack/asset-files.ts'
import { fileOfInput, realPath } from '../../paths.ts'
import type { TargetPlan } from '../../plan/target-plan.ts'
import type { Form } from './form.ts'

/**
 * Whether a form of a target counts, by its kind. On Node the place of a module is that of the built file, so only a file that is
 * missing there counts, and the question whether a module is the program. Other platforms have no place.
 */
export function placeless(target: TargetPlan): (form: Form, input: string) => boolean {
  const assets = assetFiles(target)
  return ({ use, beside, asksIfMain }, input) => {
    if (use !== 'place') return true
    // The bundler replaces this file by the code of the worker or page.
    if (carriedSource.test(input)) return false
    if (target.platform !== 'node' || asksIfMain === true) return true
    const file = fileBeside(input, beside)
    if (file === undefined || !existsSync(file)) return false
    const source = assets[posix.normalize(beside!)]
    return source === undefined || realPath(source) !== realPath(file)
  }
}

/** The file that code in an input names beside itself. */
export function fileBeside(input: string, beside: string | undefined): string | undefined {
  const from = fileOfInput(input)
  return from === undefined || beside === undefined ? undefined : resolve(dirname(from), beside)
}
