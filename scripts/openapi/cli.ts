/**
 * Writes openapi.json and the files that are generated from it. With `--check` it fails if a checked-in file differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'
import { type ContractDocument, routesType } from './routes-type.ts'
import { openApiText } from './text.ts'

const text = await openApiText()
const files = {
  'openapi.json': text,
  'plugins/client/routes.ts': routesType(JSON.parse(text) as ContractDocument),
}
for (const [name, fresh] of Object.entries(files)) {
  const file = join(root, name)
  if (!process.argv.includes('--check')) writeFileSync(file, fresh)
  else if (readFileSync(file, 'utf8') !== fresh) throw new Error(`${name} is not what the routes say: make openapi`)
}
