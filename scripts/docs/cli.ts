/**
 * `make docs`: writes the API pages of `svc/plugin`, `svc/client`, `svc/dev`, `svc/node` and `svc/sign` from their doc
 * comments, with TypeDoc.
 */
import { join } from 'node:path'
import { root, shown, workDir } from '../build/paths.ts'
import { readApi } from './read-api.ts'

const { app, project } = await readApi(root)
const folder = join(workDir, '.build/docs')
await app.generateDocs(project, folder)
if (app.logger.hasErrors()) process.exitCode = 1
else console.log(`→ ${shown(folder, workDir)}/index.html`)
