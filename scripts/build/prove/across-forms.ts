/** Library and program of a profile share most of their code, and what is wrong with it is told once. */
import type { Problem } from '../errors.ts'

const FORM = /^(library|main): /

/** Problems that differ in nothing but the form that they begin with, as one that names both. */
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
