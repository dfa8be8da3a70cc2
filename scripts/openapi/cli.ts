/** Writes openapi.json; with `--check` fails where the checked-in one is another. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'
import { openApiText } from './text.ts'

const file = join(root, 'openapi.json')
const text = await openApiText()
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) throw new Error('openapi.json is not what the routes say: make openapi')
} else writeFileSync(file, text)
