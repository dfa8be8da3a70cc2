/** A form: code that the bundler cannot follow, as it was found in one file. */
import type { Use } from '../../../../core/feature.ts'

/** One form in one file. */
export interface Form {
  readonly use: Use
  /** The code, shortened. */
  readonly code: string
  /** The built-in, if the form is `process.getBuiltinModule` with a literal name. */
  readonly builtin?: string
  /**
   * The module, if the form loads it by a literal name. This is a form only if the bundler did not follow the import: a
   * name can become literal by folding, after the bundler has followed the imports, and the bundler follows no imports
   * of assets.
   */
  readonly specifier?: string
  /** Where the code begins in the text that was parsed. */
  readonly at: number
  /** The file that the code names beside its own module, as it is written, if the form is of kind `place`. */
  readonly beside?: string
  /** Whether the code compares its place with that of the program, if the form is of kind `place`. */
  readonly asksIfMain?: true
}
