/** Finds the profile in the syntax tree of its file, and the lines of the file that a choice needs. */
import type ts from 'typescript'
import type { FeatureSet } from '../../../../core/declare/matrix.ts'
import type { LoadedProfile } from '../../../build/plan/load-profile.ts'
import { TS } from '../../../build/typescript.ts'
import type { Place } from '../model/catalogue.ts'
import { at, type Choice, type Chosen } from '../model/catalogue.ts'

/** The object literal of the exported profile: `export const profile`, or else the default export. */
export function profileIn(source: ts.SourceFile): ts.ObjectLiteralExpression | undefined {
  const named = declared(source, 'profile')
  if (named !== undefined) return objectIn(source, named)
  const assignment = source.statements.find((one) => TS.isExportAssignment(one) && one.isExportEquals !== true)
  return assignment === undefined ? undefined : objectIn(source, (assignment as ts.ExportAssignment).expression)
}

function declared(source: ts.SourceFile, name: string): ts.Expression | undefined {
  for (const statement of source.statements) {
    if (!TS.isVariableStatement(statement)) continue
    for (const one of statement.declarationList.declarations) {
      if (TS.isIdentifier(one.name) && one.name.text === name) return one.initializer
    }
  }
  return undefined
}

function objectIn(source: ts.SourceFile, expression: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (TS.isObjectLiteralExpression(expression)) return expression
  if (
    TS.isAsExpression(expression) ||
    TS.isSatisfiesExpression(expression) ||
    TS.isParenthesizedExpression(expression)
  ) {
    return objectIn(source, expression.expression)
  }
  if (TS.isCallExpression(expression) && expression.arguments.length === 1) {
    return objectIn(source, expression.arguments[0]!)
  }
  if (!TS.isIdentifier(expression)) return undefined
  const value = declared(source, expression.text)
  return value === undefined ? undefined : objectIn(source, value)
}

/** A member of an object literal by its name. */
export function member(list: ts.ObjectLiteralExpression, name: string): ts.PropertyAssignment | undefined {
  return list.properties.find(
    (one): one is ts.PropertyAssignment => TS.isPropertyAssignment(one) && keyOf(one) === name,
  )
}

/** The name of a member; undefined if it is computed or a spread. */
export function keyOf(node: ts.ObjectLiteralElementLike): string | undefined {
  const { name } = node
  return name !== undefined && (TS.isIdentifier(name) || TS.isStringLiteral(name)) ? name.text : undefined
}

/** A line to write: the value, or undefined for a line to remove. */
export type Entries = Readonly<Record<string, boolean | string | undefined>>

/** The lists of features that a file has itself, and the profile that it extends. */
export interface Inherited {
  readonly ownFeatures: Readonly<Record<Place, FeatureSet>>
  readonly parent: Pick<LoadedProfile, 'library' | 'main'> | undefined
}

/**
 * The lines to change in the lists of a file. A line that already says what is wanted stays, even where it is not
 * needed.
 */
export function entriesFor({ ownFeatures, parent }: Inherited, choice: Choice): Readonly<Record<Place, Entries>> {
  const { library } = choice
  const base: Record<Place, FeatureSet> = {
    library: parent?.library.features ?? {},
    main: { ...library, ...parent?.main?.features },
  }
  const entries = (place: Place): Entries => changed(ownFeatures[place], base[place], at(choice, place))
  return { library: entries('library'), main: choice.main === undefined ? {} : entries('main') }
}

function changed(ownFeatures: FeatureSet, base: FeatureSet, wanted: Chosen): Entries {
  const ids = new Set([...Object.keys(ownFeatures), ...Object.keys(base), ...Object.keys(wanted)])
  return Object.fromEntries(
    [...ids].flatMap((id) => {
      const value = wanted[id] ?? false
      const now = ownFeatures[id] ?? base[id] ?? false
      if (now === value) return []
      return [[id, (base[id] ?? false) === value ? undefined : value] as const]
    }),
  )
}
