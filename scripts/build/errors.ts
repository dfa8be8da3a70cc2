/** Error codes of profiles and builds. Problems are collected and reported together. */
import { defineErrors, type ErrorCatalogue } from '../../core/declare/errors.ts'

type BuildCode =
  | 'ERR_PROFILE_NOT_FOUND'
  | 'ERR_PROFILE_INVALID'
  | 'ERR_FEATURE_UNKNOWN'
  | 'ERR_FEATURE_REQUIRES'
  | 'ERR_FEATURE_CONFLICT'
  | 'ERR_FEATURE_PLATFORM'
  | 'ERR_FEATURE_VARIANT'
  | 'ERR_FEATURE_MODULE'
  | 'ERR_FEATURE_REMOVED'
  | 'ERR_FEATURE_STABILITY'
  | 'ERR_FLAG_UNDECLARED'
  | 'ERR_FLAG_UNUSED'
  | 'ERR_FLAG_ALIASED'
  | 'ERR_PROOF_LEAK'
  | 'ERR_PROOF_MISSING'
  | 'ERR_PROOF_BUILTIN'
  | 'ERR_PROOF_EXTERNAL'
  | 'ERR_PROOF_CONTROL'
  | 'ERR_PROOF_BUDGET'
  | 'ERR_PROOF_FORM'
  | 'ERR_PROOF_PACKAGE'
  | 'ERR_PROOF_DIST'
  | 'ERR_PROFILE_OWNERSHIP'
  | 'ERR_POLICY_LICENCE'
  | 'ERR_BUILD_BROKEN'
  | 'ERR_BUILD_FAILED'
  | 'ERR_BUILD_START'

/** Creates errors with the codes of the toolkit. */
export const buildFail: ErrorCatalogue<BuildCode> = defineErrors<BuildCode>({
  ERR_PROFILE_NOT_FOUND: { message: 'There is no such profile.' },
  ERR_PROFILE_INVALID: { message: 'The profile module does not hold a profile.' },
  ERR_FEATURE_UNKNOWN: { message: 'The profile names a feature that does not exist.' },
  ERR_FEATURE_REQUIRES: { message: 'A feature needs another that is not in the profile.' },
  ERR_FEATURE_CONFLICT: { message: 'Two features of the profile exclude each other.' },
  ERR_FEATURE_PLATFORM: { message: 'A feature needs more than the platform of the profile has.' },
  ERR_FEATURE_VARIANT: { message: 'A feature is chosen in a variant that it does not have.' },
  ERR_FEATURE_MODULE: { message: 'The module of a feature does not hold what the matrix says.' },
  ERR_FEATURE_REMOVED: { message: 'The profile has a feature that this version no longer contains.' },
  ERR_FEATURE_STABILITY: { message: 'The profile has a feature that is less stable than it allows.' },
  ERR_FLAG_UNDECLARED: { message: 'The code branches on a define that no feature declares.' },
  ERR_FLAG_UNUSED: { message: 'A feature declares a define that no code branches on.' },
  ERR_FLAG_ALIASED: { message: 'A define stands outside of a condition, where the bundler cannot fold it.' },
  ERR_PROOF_LEAK: { message: 'The bundle contains a file of a feature that the profile does not have.' },
  ERR_PROOF_MISSING: { message: 'The bundle contains nothing of a feature that the profile has.' },
  ERR_PROOF_BUILTIN: { message: 'The bundle uses a Node built-in that the profile does not allow.' },
  ERR_PROOF_EXTERNAL: { message: 'The bundle imports a package from outside that the profile does not allow.' },
  ERR_PROOF_CONTROL: { message: 'A control of the proof failed, so the proof proves nothing.' },
  ERR_PROOF_BUDGET: { message: 'The bundle does not have the size that the profile says.' },
  ERR_PROOF_FORM: { message: 'The bundle contains code that the bundler cannot follow, and no feature declares it.' },
  ERR_PROOF_PACKAGE: { message: 'An installed package is not the one that the lock file names.' },
  ERR_PROOF_DIST: { message: 'What was delivered is not what was proven.' },
  ERR_PROFILE_OWNERSHIP: { message: 'A feature claims files that are not its own.' },
  ERR_POLICY_LICENCE: { message: 'The build contains a package under a licence that the profile does not allow.' },
  ERR_BUILD_BROKEN: { message: 'The bundler found code that cannot work.' },
  ERR_BUILD_FAILED: { message: 'The build failed.' },
  ERR_BUILD_START: { message: 'What was built does not start, or does not stop.' },
})

/** One problem; `hint` says how to fix it. */
export interface Problem {
  readonly code: BuildCode
  readonly message: string
  readonly hint?: string
  /**
   * The inputs of a bundle that the problem is about, each with the inputs on the import chain to it: keys of the
   * metafile.
   */
  readonly inputs?: readonly string[]
}

/** Throws all problems as one error with the code of the first problem. Does nothing without problems. */
export function throwAll(what: string, problems: readonly Problem[]): void {
  const [first] = problems
  if (first === undefined) return
  const lines = problems.map(({ code, message, hint }) => `  ${code}: ${message}${hint ? `\n    → ${hint}` : ''}`)
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`
  throw buildFail(first.code, { message: `${what}: ${count}\n${lines.join('\n')}`, details: { problems } })
}

const FORM = /^(library|main): /

/** Replaces problems that differ only in the form at their beginning by one problem that names both forms. */
export function acrossForms(problems: readonly Problem[]): Problem[] {
  const byKey = new Map<string, Problem>()
  for (const problem of problems) {
    const { code, message, hint } = problem
    const key = JSON.stringify([code, message.replace(FORM, ''), hint])
    const first = byKey.get(key)
    if (first === undefined) byKey.set(key, problem)
    else if (first.message !== message)
      byKey.set(key, { ...first, message: message.replace(FORM, 'library and main: ') })
  }
  return [...byKey.values()]
}
