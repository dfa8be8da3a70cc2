/**
 * Chooses the files whose code is parsed for forms that the bundler cannot follow. One search of the text is a hundred times
 * faster than the parser, and few files of a bundle match. A test parses all files of our profiles and compares.
 */
import { globals, members, modules } from './ways.ts'

const anyOf = (names: Iterable<string>): string => [...names].join('|')

const MAYBE = new RegExp(
  [
    String.raw`\b(?:${anyOf([...Object.keys(globals), ...Object.keys(members)].filter((name) => name !== 'require'))})\b`,
    String.raw`\bimport\.meta\b`,
    // An import or a require of anything but one literal name.
    String.raw`\b(?:import|require)(?:\.\w+)?\s*\(\s*(?!(['"])[^'"\n]*\1\s*[,)])`,
    // `require` as a value. In front of a closing bracket it is mostly English, in a comment.
    String.raw`\.require\b|\brequire\.\w|[=(,:?[{]\s*require\s*(?:[,;})\]\n]|$)`,
    String.raw`\.binding\s*\(`,
    // A built-in that loads, runs or starts code.
    `['"\`](?:node:)?(?:${anyOf(Object.keys(modules))})['"\`]`,
    // A timer with a literal text.
    String.raw`\bset(?:Timeout|Interval)\s*\(\s*['"\`]`,
  ].join('|'),
)

/** Whether a source text may contain a form. False means that it contains none. */
export function mayHaveForm(text: string): boolean {
  return MAYBE.test(text)
}
