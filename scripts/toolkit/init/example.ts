/** The example plugin of the documentation, and the same plugin with another name. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../build/paths.ts'
import { toolFail } from '../errors.ts'

/** Words that cannot be the name of a variable in a module (ECMAScript, section 12.7.2). */
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger ' +
    'default delete do else enum eval export extends false finally for ' +
    'function if implements import in instanceof interface let new ' +
    'null package private protected public return static super switch ' +
    'this throw true try typeof undefined var void while with yield'
  ).split(' '),
)

/**
 * The files with `quote` replaced by `name`, singular and plural. The settings get a family of their own, because two
 * plugins cannot both have `edge.author`.
 * @throws SvcError `ERR_TOOL_USAGE` if the example uses the name for something else
 */
export function renamed(files: Readonly<Record<string, string>>, name: string): Record<string, string> {
  if (name === 'quote') return { ...files }
  const words = new Set(Object.values(files).flatMap((text) => text.match(/[A-Za-z]\w*/g) ?? []))
  if (RESERVED.has(name) || words.has(name) || words.has(`${name}s`)) {
    throw toolFail('ERR_TOOL_USAGE', {
      message:
        `"${name}" is ` +
        `${RESERVED.has(name) ? 'a word of TypeScript' : 'the name of something else in the example'}.`,
      hint: 'Choose another name, such as the thing that the plugin serves: svc-build init plugin weather',
    })
  }
  const capital = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  const replaced = (text: string): string =>
    text
      .replace(/\bedge\.(?=(?:author|webhook_secret)\b)/g, `${name}.`)
      .replace(/\bedge: \{ author\b/g, `${name}: { author`)
      .replace(/\bedge\\\.(?=author\b)/g, `${name}\\.`)
      .replace(/quote(?=s?(?![a-z]))/g, name)
      .replace(/Quote(?=s?(?![a-z]))/g, capital)
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [file, replaced(text)]))
}

/** Code blocks of `docs/<page>` that are marked `<!-- file: name -->`, by name. */
export function documentedFiles(page: string): Record<string, string> {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const blocks = text.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/g)
  return Object.fromEntries([...blocks].map(([, name, code]) => [name!, code!]))
}
