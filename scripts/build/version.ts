/** The version of the project, from package.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** Semantic version, such as `0.1.0`. */
export const version: string = manifest.version
