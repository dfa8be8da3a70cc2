/** Finds the source lines that choose features, in a profile's file and in the profiles that it extends. */
import { readFileSync } from 'node:fs'
import type ts from 'typescript'
import { shown } from '../paths.ts'
import type { LoadedProfile } from '../plan/load-profile.ts'
import { openResults } from '../record/result-store.ts'
import { loadTypeScript, TS } from '../typescript.ts'

/** One line that chooses a feature. */
export interface ChoiceLine {
  readonly feature: string
  readonly form: 'library' | 'main'
  readonly file: string
  readonly line: number
  /** The choice as in the source: `true`, `'threads'`, or `false`, which removes the feature. */
  readonly choice: string
}

/** All lines that choose a feature: the lines of the profile before the lines of its parents. */
export async function choiceLinesOf({ files, base }: Pick<LoadedProfile, 'files' | 'base'>): Promise<ChoiceLine[]> {
  const read = files.map(async (path) => {
    const [text, file] = [readFileSync(path, 'utf8'), shown(path, base)]
    return results.resultFor([text, file], async () => linesOf(text, file))
  })
  return (await Promise.all(read)).flat()
}

const results = openResults<readonly ChoiceLine[]>('asked')

/**
 * The lines of one source text. Only literal members are found; members that come from a spread are found in the file
 * that declares them.
 */
export function linesOf(text: string, file: string): ChoiceLine[] {
  loadTypeScript()
  const source = TS.createSourceFile(file, text, TS.ScriptTarget.Latest, true)
  const lines: ChoiceLine[] = []
  const visit = (node: ts.Node): void => {
    const form = formOf(node)
    if (form !== undefined && TS.isPropertyAssignment(node) && TS.isObjectLiteralExpression(node.initializer)) {
      for (const member of node.initializer.properties) {
        if (!TS.isPropertyAssignment(member)) continue
        const line = source.getLineAndCharacterOfPosition(member.getStart()).line + 1
        const choice = member.initializer.getText().replaceAll('"', "'")
        lines.push({ feature: nameOf(member), form, file, line, choice })
      }
    }
    TS.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

/** Returns the target that a `features` property belongs to, or undefined if the node is no such property. */
function formOf(node: ts.Node): ChoiceLine['form'] | undefined {
  if (!TS.isPropertyAssignment(node) || nameOf(node) !== 'features') return undefined
  const target = node.parent.parent
  if (!TS.isPropertyAssignment(target)) return undefined
  const name = nameOf(target)
  return name === 'library' || name === 'main' ? name : undefined
}

function nameOf({ name }: ts.PropertyAssignment): string {
  return TS.isIdentifier(name) || TS.isStringLiteral(name) ? name.text : name.getText()
}
