/** Merges equal problems of library and program, which share most of their code. */
import type { Problem } from '../errors.ts'

const FORM = /^(library|main): /

/** Replaces problems that differ only in the form at their beginning by one problem that names both forms. */
export function acrossForms(problems: readonly Problem[]): Problem[] {
  const found = new Map<string, Problem>()
  for (const problem of problems) {
    const { code, message, hint } = problem
    const key = JSON.stringify([code, message.replace(FORM, ''), hint])
    const first = found.get(key)
    if (first === undefined) found.set(key, problem)
    else if (first.message !== message)
      found.set(key, { ...first, message: message.replace(FORM, 'library and main: ') })
  }
  return [...found.values()]
}
