/**
 * Finds code that asks for its own place: `import.meta`, `__dirname`, `__filename`. In a bundle the place of a module
 * is that of the built file, so files beside the module are found only if they are delivered too.
 */
import type ts from 'typescript'
import { TS } from '../../typescript.ts'
import { excerpt, freeName } from '../syntax.ts'
import type { Form } from './ways.ts'

/** The constants of a file that contain its folder or its file. */
interface Places {
  readonly folders: ReadonlySet<string>
  readonly files: ReadonlySet<string>
}

/**
 * The constants of a parsed file that contain its own folder or path, such as `const here =
 * dirname(fileURLToPath(import.meta.url))`.
 */
export function placesIn(source: ts.SourceFile): Places {
  const folders = new Set<string>()
  const files = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (TS.isVariableDeclaration(node) && TS.isIdentifier(node.name) && node.initializer !== undefined) {
      if (isFolder(node.initializer, { folders, files })) folders.add(node.name.text)
      else if (isFile(node.initializer, { folders, files })) files.add(node.name.text)
    }
    TS.forEachChild(node, visit)
  }
  visit(source)
  return { folders, files }
}

/** The form of kind `place` that a node is, other than a mention of `__dirname` or `__filename`. */
export function placeForm(node: ts.Node, places: Places): Omit<Form, 'at'> | undefined {
  const beside = besideIn(node, places)
  if (beside !== undefined) return { use: 'place', code: excerpt(node), beside }
  if (isComparedWithProgram(node, places)) return { use: 'place', code: excerpt(node), asksIfMain: true }
  return isMeta(node) ? { use: 'place', code: excerpt(node.parent) } : undefined
}

/**
 * The relative path of a file that a node names beside its module; undefined for a folder, or for a path that is no
 * literal.
 */
function besideIn(node: ts.Node, places: Places): string | undefined {
  const path = pathIn(node, places)
  return path === undefined || /(?:^|\/)\.{0,2}$/.test(path) || /^(?:\w+:|\/\/)/.test(path) ? undefined : path
}

function pathIn(node: ts.Node, places: Places): string | undefined {
  if (TS.isNewExpression(node)) return isName(node.expression, 'URL') ? inUrl(node.arguments ?? []) : undefined
  if (TS.isCallExpression(node)) {
    const [folder, ...rest] = node.arguments
    const isLiteral = rest.length > 0 && rest.every((one) => TS.isStringLiteralLike(one))
    if (folder === undefined || !isLiteral || !isFolder(folder, places)) return undefined
    return relative(rest.map((one) => one.text).join('/'))
  }
  if (TS.isBinaryExpression(node) && node.operatorToken.kind === TS.SyntaxKind.PlusToken)
    return TS.isStringLiteralLike(node.right) && isFolder(node.left, places) ? relative(node.right.text) : undefined
  if (TS.isTemplateExpression(node) && node.head.text === '' && node.templateSpans.length === 1) {
    const { expression, literal } = node.templateSpans[0]!
    return isFolder(expression, places) ? relative(literal.text) : undefined
  }
  return undefined
}

function inUrl([path, base]: readonly ts.Expression[]): string | undefined {
  return path !== undefined && base !== undefined && TS.isStringLiteralLike(path) && isUrl(base) ? path.text : undefined
}

function relative(path: string): string {
  return `./${path}`.replace(/\/+/g, '/')
}

/** Whether a node is a comparison such as `process.argv[1] === fileURLToPath(import.meta.url)`. */
function isComparedWithProgram(node: ts.Node, places: Places): boolean {
  if (!TS.isBinaryExpression(node)) return false
  const { kind } = node.operatorToken
  if (kind !== TS.SyntaxKind.EqualsEqualsToken && kind !== TS.SyntaxKind.EqualsEqualsEqualsToken) return false
  const sides = [node.left, node.right]
  const isPlace = (side: ts.Expression): boolean => isUrl(side) || isFile(side, places)
  return sides.some((side) => isPlace(side)) && sides.some((side) => !isPlace(side) && /\bargv\b/.test(side.getText()))
}

function isFolder(node: ts.Node, places: Places): boolean {
  if (TS.isIdentifier(node)) return freeName(node) === '__dirname' || places.folders.has(node.text)
  if (TS.isPropertyAccessExpression(node)) return isMeta(node.expression) && node.name.text === 'dirname'
  if (!TS.isCallExpression(node) || node.arguments.length !== 1) return false
  const [first] = node.arguments
  if (isName(node.expression, 'dirname')) return isFile(first!, places)
  if (!isName(node.expression, 'fileURLToPath') || !TS.isNewExpression(first!)) return false
  return isName(first.expression, 'URL') && /^\.\/?$/.test(inUrl(first.arguments ?? []) ?? '')
}

function isFile(node: ts.Node, places: Places): boolean {
  if (TS.isIdentifier(node)) return freeName(node) === '__filename' || places.files.has(node.text)
  if (TS.isPropertyAccessExpression(node)) return isMeta(node.expression) && node.name.text === 'filename'
  return TS.isCallExpression(node) && isName(node.expression, 'fileURLToPath') && isUrl(node.arguments[0])
}

function isUrl(node: ts.Node | undefined): boolean {
  return (
    node !== undefined && TS.isPropertyAccessExpression(node) && isMeta(node.expression) && node.name.text === 'url'
  )
}

function isMeta(node: ts.Node): boolean {
  return TS.isMetaProperty(node) && node.keywordToken === TS.SyntaxKind.ImportKeyword && node.name.text === 'meta'
}

/** Whether a callee has a name, alone or as a member: `dirname` or `path.dirname`. */
function isName(callee: ts.Node, name: string): boolean {
  if (TS.isPropertyAccessExpression(callee)) return callee.name.text === name
  // CommonJS that a compiler wrote: (0, path.dirname)(file).
  if (TS.isParenthesizedExpression(callee) && TS.isBinaryExpression(callee.expression))
    return isName(callee.expression.right, name)
  return TS.isIdentifier(callee) && callee.text === name
}
